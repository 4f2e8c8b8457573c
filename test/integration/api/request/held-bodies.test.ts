// The memory that bodies of all requests may take together.
import { describe, expect, it } from 'vitest';
import { HeldBodies } from '../../../../apps/api/request/held-bodies.ts';

describe('the bodies that a server holds', () => {
  it('are refused above what they may take together, and counted out when they are let go', () => {
    const bodies = new HeldBodies(100);
    const one = bodies.open(false);
    const other = bodies.open(false);
    one.add(60);
    expect(() => other.add(41)).toThrow(expect.objectContaining({ code: 'unavailable', status: 503 }));
    other.add(40);
    expect(bodies.bytes).toBe(100);
    one.release();
    one.release();
    expect(bodies.bytes).toBe(40);
    other.add(60);
  });

  it('of strangers take a quarter at most', () => {
    const bodies = new HeldBodies(100);
    const stranger = bodies.open(true);
    stranger.add(25);
    expect(() => bodies.open(true).add(1)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    bodies.open(false).add(75);
    stranger.release();
    expect(() => bodies.open(true).add(25)).not.toThrow();
  });
});

// Settings of how processes are watched.
import { expect, it } from 'vitest';
import { readConfig } from '#domain/config.ts';
import { observingVariables } from '#domain/configuration/observing.ts';

it('are settings of the service, off by default, and leave a port for the worker', () => {
  const config = readConfig({});
  expect(Object.keys(observingVariables).filter((name) => !Object.hasOwn(config, name))).toEqual([]);
  expect([config.MUNIMENT_METRICS_PORT, config.MUNIMENT_METRICS_HOST]).toEqual([0, '127.0.0.1']);
  expect(readConfig({ MUNIMENT_METRICS_PORT: '65534' }).MUNIMENT_METRICS_PORT).toBe(65_534);
  expect(() => readConfig({ MUNIMENT_METRICS_PORT: '65535' })).toThrow('MUNIMENT_METRICS_PORT');
});

// Where two texts differ: what stands in both before that place and behind it, and what each has between.

/** Two texts taken apart: `before` and `after` are in both. */
export type Differing = {
  readonly before: string;
  readonly source: string;
  readonly here: string;
  readonly after: string;
};

/** Takes two texts apart. Letters stay whole: a mark or half a character at an edge belongs to what differs. */
export function differing(source: string, here: string): Differing {
  const shorter = Math.min(source.length, here.length);
  let start = 0;
  while (start < shorter && source[start] === here[start]) start++;
  while (start > 0 && (continues(source, start) || continues(here, start))) start--;
  let end = 0;
  while (end < shorter - start && source.at(-1 - end) === here.at(-1 - end)) end++;
  while (end > 0 && (continues(source, source.length - end) || continues(here, here.length - end))) end--;
  return {
    before: source.slice(0, start),
    source: source.slice(start, source.length - end),
    here: here.slice(start, here.length - end),
    after: source.slice(source.length - end),
  };
}

/** Whether what stands at a place belongs to the letter before it. */
const continues = (text: string, at: number): boolean => /^[\p{M}\u200d\udc00-\udfff]/u.test(text.charAt(at));

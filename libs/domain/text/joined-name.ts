// Names of people as they are written in scripts that put nothing between family and given name.

const script = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー々]';
const inverted = new RegExp(`^(${script}+)\\s*[,，、､]\\s*(${script}+)(?!${script})`, 'u');

/**
 * The name as everybody writes it, where its heading parts it by a comma: `村上, 春樹, 1949-` gives 村上春樹. Undefined for names of other
 * scripts, which are written apart and found by their words in any order.
 */
export function toJoinedName(heading: string): string | undefined {
  const [, family, given] = inverted.exec(heading) ?? [];
  return family === undefined || given === undefined ? undefined : family + given;
}

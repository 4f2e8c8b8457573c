// The number at the beginning of a text (`1,200.5 volumes`), in the forms in which catalogues write numbers.

/** A number with a decimal point and nothing between its thousands, since it is calculated with, and what of the text stands behind it. */
export type LeadingNumber = { readonly number: string; readonly rest: string };

// Commas, blanks (also those that keep a line together) and the apostrophes of Switzerland part thousands: groups of three digits, parted alike.
// Where a further number follows, the blank is none between thousands.
const whole = (separator: string): string =>
  `\\d{1,3}(?<${separator}>[,'’ \\u00a0\\u2009\\u202f])\\d{3}(?:\\k<${separator}>\\d{3})*(?!\\d|\\k<${separator}>\\d+(?![\\d/]))|\\d+`;

// A comma before one or two digits is the decimal comma of continental Europe. A number that goes on in another way is none.
const form = new RegExp(
  `^(?:(?:(?<whole>${whole('first')})\\s+)?(?<over>\\d+)/(?<under>\\d+)|(?<digits>${whole('second')})(?:\\.(?<decimals>\\d+)|,(?<commaDecimals>\\d{1,2})(?!\\d))?\\.?|\\.(?<bare>\\d+))(?![.,/]?\\d)`,
);

/** Reads the number that a text begins with; undefined where it begins with none. Fractions become decimal, to three places. */
export function leadingNumber(text: string): LeadingNumber | undefined {
  const spelled = text.replace(
    /^(\d*)\s*([¼-¾⅐-⅞])/,
    (_all, before: string, part: string) => `${before} ${part.normalize('NFKD').replace('\u2044', '/')}`,
  );
  const match = form.exec(spelled.trimStart());
  const parts = match?.groups;
  if (match === null || parts === undefined) return undefined;
  const { over, under, bare } = parts;
  const rest = spelled.trimStart().slice(match[0].length);
  const inDigits = (digits: string | undefined): string => digits?.replace(/\D/g, '') ?? '0';
  if (over !== undefined) {
    if (Number(under) === 0) return undefined;
    const sum = Number(inDigits(parts['whole'])) + Number(over) / Number(under);
    return { number: String(Math.round(sum * 1000) / 1000), rest };
  }
  if (bare !== undefined) return { number: `.${bare}`, rest };
  const decimals = parts['decimals'] ?? parts['commaDecimals'];
  return { number: `${inDigits(parts['digits'])}${decimals === undefined ? '' : `.${decimals}`}`, rest };
}

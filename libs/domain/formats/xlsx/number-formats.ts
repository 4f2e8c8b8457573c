// How cells show their numbers (ECMA-376, numFmts): as days, as times, or with leading zeros and what stands around them. Everything else is read as the number is.
import { badWorkbook } from './archive.ts';
import type { Part } from './archive.ts';
import { sheetLimits } from './limits.ts';
import { attribute, parsePart } from './parts.ts';

/** What a format of times shows: hours, in two digits or as many as there are, and seconds. `isElapsed`: how long something takes, which may be more than a day. */
type TimeFormat = {
  readonly hours: 0 | 1 | 2;
  readonly hasSeconds: boolean;
  readonly hasFraction: boolean;
  readonly isElapsed: boolean;
};

/**
 * What matters of a format: whether it shows days, or times alone, and, where it shows leading zeros, its texts and digits in order (`"MS-"000`: MS-, and three digits,
 * which are null).
 */
export type NumberFormat = {
  readonly isDay: boolean;
  readonly time: TimeFormat | null;
  readonly digits: readonly (string | null)[] | null;
};

// Built-in formats of days and times: those of every language, of Chinese, Japanese and Korean programs, and of Thai ones (ECMA-376, 18.8.30).
const dayFormats: readonly (readonly [first: number, last: number])[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
  [71, 81],
];

// Those of them that show times alone. Four of East Asia (34, 35, 55, 56) are times in one language and days in another.
const timeFormats: { readonly [format: number]: string } = {
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  32: 'h:mm',
  33: 'h:mm:ss',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
  75: 'h:mm',
  76: 'h:mm:ss',
  78: 'mm:ss',
  79: '[h]:mm:ss',
  80: 'mm:ss.0',
};

/** The formats by style: built-in ones of days, and of own ones those with a year, month or day in them. */
export function readNumberFormats(styles: Part | undefined): (style: number) => NumberFormat {
  const own = new Map<number, string>();
  const formats: number[] = [];
  let isCell = false;
  parsePart(styles, {
    open: (tag) => {
      if (tag.name === 'numFmt') own.set(Number(attribute(tag, 'numFmtId')), attribute(tag, 'formatCode') ?? '');
      if (tag.name === 'cellXfs') isCell = true;
      if (tag.name === 'xf' && isCell) formats.push(Number(attribute(tag, 'numFmtId') ?? 0));
      if (formats.length > sheetLimits.styles || own.size > sheetLimits.styles)
        throw badWorkbook(`The workbook has more than ${sheetLimits.styles} styles`);
    },
    close: (name) => {
      if (name === 'cellXfs') isCell = false;
    },
  });
  const known = formats.map((format): NumberFormat => {
    const code = (own.get(format) ?? '').slice(0, longestCode);
    const time = timeOf(own.has(format) ? code : (timeFormats[format] ?? ''));
    const isDay =
      time === null &&
      ((!own.has(format) && dayFormats.some(([first, last]) => format >= first && format <= last)) ||
        /[ymd]/i.test(code.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, '')));
    return { isDay, time, digits: isDay || time !== null ? null : digitsOf(code) };
  });
  return (style) => known[style] ?? general;
}

// The longest that spreadsheet programs keep.
const longestCode = 255;
const general: NumberFormat = { isDay: false, time: null, digits: null };

/** What a format of times shows; null for every other. Texts and conditions in it are no letters of times, but `[h]` is. */
function timeOf(code: string): TimeFormat | null {
  const [letters = ''] = code.replace(/"[^"]*"|\\.|AM\/PM|A\/P|\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, '').split(';');
  if (/[yd]/i.test(letters) || !/[hs]|\[m/i.test(letters)) return null;
  return {
    hours: /hh/i.test(letters) ? 2 : /h/i.test(letters) ? 1 : 0,
    hasSeconds: /s/i.test(letters),
    hasFraction: letters.includes('.0'),
    isElapsed: letters.includes('['),
  };
}

/** The parts of a day as a time, of 24 hours, or as how long something takes; null for what is a day as well. Hours are told where the format has no place for them, since nothing may get lost. */
export function shownTime(value: string, { hours, hasSeconds, hasFraction, isElapsed }: TimeFormat): string | null {
  const days = Number(value);
  if (!(days >= 0 && (isElapsed || days < 1))) return null;
  const total = Math.round(days * 86_400_000) / 1000;
  const seconds = hasFraction ? total : Math.round(total);
  const two = (number: number): string => String(number).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  const whole = Math.floor(minutes / 60);
  const before =
    hours > 0 || (!isElapsed && whole > 0)
      ? `${String(whole).padStart(hours, '0')}:${two(minutes % 60)}`
      : two(minutes);
  const rest = two(Math.floor(seconds % 60));
  const fraction = hasFraction ? `.${Math.floor((total * 10) % 10)}` : '';
  return hasSeconds ? `${before}:${rest}${fraction}` : before;
}

// A text in quotes, a sign after a backslash, a blank or filling as wide as a sign, a colour; a digit; signs that are texts without quotes.
const formatPart = /"([^"]*)"|\\(.)|[_*].|\[(?:[a-z]+|color ?\d+)\]|(0)|([-+$():!^&'~{}= ])/gi;

/** The texts and digits of a format of whole numbers that has leading zeros; null for every other. What it says of negative numbers comes after a semicolon. */
function digitsOf(code: string): NumberFormat['digits'] {
  const [positive = ''] = /^(?:"[^"]*"|\\.|[^;"\\])*/.exec(code) ?? [];
  if (positive.replaceAll(formatPart, '') !== '') return null;
  const parts = Array.from(positive.matchAll(formatPart), ([, quoted, escaped, digit, sign]): string | null =>
    digit === undefined ? (quoted ?? escaped ?? sign ?? '') : null,
  );
  return parts.filter((part) => part === null).length > 1 ? parts : null;
}

/**
 * A number as it looks: 0.30000000000000004 is 0.3 (spreadsheets keep and show 15 digits, the rest is noise of binary fractions), 3.2E+13 is
 * written out, and leading zeros of the format are there, with its texts. Long whole numbers stay as they are written.
 */
export function shownNumber(value: string, { digits }: NumberFormat): string {
  const number = Number(value);
  const isWhole = /^-?\d+$/.test(value);
  const rounded = String(Number(number.toPrecision(15)));
  const text = isWhole || !Number.isFinite(number) || rounded.includes('e') ? value : rounded;
  return digits !== null && /^\d+$/.test(text) ? filledIn(digits, text) : text;
}

/** The digits of a number in the places of a format; the first place has all that are too many. */
function filledIn(format: NonNullable<NumberFormat['digits']>, digits: string): string {
  let rest = digits.padStart(format.filter((part) => part === null).length, '0');
  const first = format.indexOf(null);
  return format
    .map((part, index) => ({ part, index }))
    .toReversed()
    .map(({ part, index }) => {
      if (part !== null) return part;
      const shown = index === first ? rest : rest.slice(-1);
      rest = rest.slice(0, -1);
      return shown;
    })
    .toReversed()
    .join('');
}

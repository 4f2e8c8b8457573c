// Each field of MARC 21 with all its subfields: what becomes of it as a resource, an accession, headings and an authority record, and what is said of the
// rest (contract behaviour-imports). What records have without the field is left out.
import { isDeepStrictEqual } from 'node:util';
import { test } from 'vitest';
import type { Json, JsonObject } from '#domain/json.ts';
import { Failure } from '#domain/errors.ts';
import { readMarc } from '#domain/formats/marc/reading/read.ts';
import { bytesOf } from '#test/support/ead-document.ts';
import { testAbout } from '#test/support/import-reading.ts';
import { expectKept, keptText } from '#test/support/kept.ts';

type Target = Parameters<typeof readMarc>[2];

// Those that libraries and archives fill; of authority records those of names.
const bibliographic =
  '010 020 022 024 028 033 034 035 037 040 041 043 044 045 046 049 052 072 082 090 099 100 110 111 130 210 222 240 242 245 246 247 250 254 255 256 257 258 260 264 300 306 310 336 340 342 343 344 351 352 355 357 362 380 490 ' +
  '500 501 502 504 505 506 507 508 510 511 513 514 518 520 521 522 524 530 533 534 535 536 538 540 541 544 545 546 547 550 552 555 556 561 562 563 565 567 580 581 583 584 585 586 590 ' +
  '600 610 611 630 648 650 651 653 654 655 656 657 658 662 690 691 700 710 711 720 730 740 751 752 773 786 852 856 880';
const authority =
  '010 024 034 035 040 043 046 100 110 111 336 368 370 371 372 373 374 375 376 377 378 400 410 411 430 500 510 511 530 550 551 663 664 665 666 667 670 672 673 675 678 680 681 688 700 710 750 751 856 880';

const indicators = ['  ', '00', '17', '32'];

const codes = [...'abcdefghijklmnopqrstuvwxyz0123456789'];

// Where a subfield must be of a form to be read at all.
const texts: { readonly [place: string]: string } = {
  '041a': 'engfre',
  '041b': 'ger',
  '046f': '18680131',
  '046g': '1899',
  '046k': '1868',
  '046l': '1899~',
  '245f': '1868-1899',
  '245g': '1870-1880',
  '260c': '1868-1899',
  '264c': '1868',
  '300a': '3 boxes',
  '300f': 'linear feet',
  '377a': 'eng',
  '856u': 'https://example.org/of/856',
};

const field = (tag: string, [one, two]: string): string =>
  `<datafield tag="${tag}" ind1="${one}" ind2="${two}">${codes.map((code) => `<subfield code="${code}">${texts[tag + code] ?? `Of ${tag}${code}`}</subfield>`).join('')}</datafield>`;

type Outcome = {
  readonly records: readonly JsonObject[];
  readonly dropped: readonly string[];
  readonly refused?: Json;
};

async function read(target: Target, fields: string): Promise<Outcome> {
  const leader = target === 'agent' ? '00000nz  a2200000n  4500' : '00000npcaa2200000 a 4500';
  const text = `<record xmlns="http://www.loc.gov/MARC21/slim"><leader>${leader}</leader>${fields}</record>`;
  const reading = readMarc(bytesOf(text), testAbout, target);
  const records: JsonObject[] = [];
  try {
    let step = await reading.next();
    for (; step.done !== true; step = await reading.next()) records.push(step.value);
    const dropped = step.value.dropped.map(({ element, text: what, reason }) => `${element}: ${what}: ${reason}`);
    return { records, dropped };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { records, dropped: [], refused: (error.error as JsonObject)['message'] ?? '' };
  }
}

/** What an outcome has that the one of no other field has not: of records of that one's kind property by property, of others all. */
function beside(bare: Outcome, { records, dropped, ...rest }: Outcome): JsonObject {
  const [own] = bare.records;
  const added = records.flatMap((record) => {
    if (own === undefined || record['jsonmodel_type'] !== own['jsonmodel_type']) return [record];
    const more = Object.entries(record).filter(([name, value]) => !isDeepStrictEqual(value, own[name]));
    return more.length === 0 ? [] : [Object.fromEntries(more)];
  });
  const said = dropped.filter((line) => !bare.dropped.includes(line));
  return { ...(added.length === 0 ? {} : { added }), ...(said.length === 0 ? {} : { said }), ...rest };
}

const isIgnored = ({ added, said, refused }: JsonObject): boolean =>
  added === undefined &&
  refused === undefined &&
  Array.isArray(said) &&
  said.every((line) => String(line).endsWith(': the field is not imported'));

const title = '<datafield tag="245" ind1="0" ind2="0"><subfield code="a">Papers</subfield></datafield>';
const heading = '<datafield tag="100" ind1="1" ind2=" "><subfield code="a">Brant, Sara</subfield></datafield>';

test.each<[Target, string, string, string]>([
  ['resource', bibliographic, '245', title],
  ['accession', bibliographic, '245', title],
  ['headings', bibliographic, '245', title],
  ['agent', authority, '100 110 111', heading],
])('as %s', async (target, tags, replaced, needed) => {
  const bare = await read(target, needed);
  const outcomes: { [field: string]: JsonObject } = {};
  const ignored: string[] = [];
  for (const tag of tags.split(' ')) {
    const around = replaced.split(' ').includes(tag) ? '' : needed;
    const [plain = {}, ...others] = await Promise.all(
      indicators.map(async (pair) => beside(bare, await read(target, around + field(tag, pair)))),
    );
    if ([plain, ...others].every(isIgnored)) ignored.push(tag);
    else outcomes[tag] = plain;
    // Where what it means goes by its indicators.
    others.forEach((other, place) => {
      if (!isDeepStrictEqual(other, plain)) outcomes[`${tag} ${indicators[place + 1]}`] = other;
    });
  }
  await expectKept(keptText({ ...outcomes, ignored }, 3), `formats/marc/read/every-field.${target}.json`);
});

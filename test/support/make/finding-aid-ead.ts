// A finding aid in EAD 2002 of any size, made as it is read: for benchmarks of imports.

const words =
  'letters harbor maps photographs ledger minutes correspondence estate survey diary sketch railway council parish expedition treaty garden portrait'.split(
    ' ',
  );
const textOf = (n: number, length: number): string =>
  Array.from({ length }, (_, index) => words[(n * 7 + index * (1 + (n % 5))) % words.length]).join(' ');

/** The bytes of a document of `count` components in series of 200 files, each with a date, a box, a note, and an agent and a subject of some hundreds. */
export async function* eadBytes(title: string, count: number): AsyncGenerator<Buffer, void, void> {
  yield Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<ead><eadheader><eadid>${title}</eadid><filedesc><titlestmt><titleproper>${title}</titleproper></titlestmt></filedesc></eadheader>
<archdesc level="collection"><did><unittitle>${title}</unittitle><unitid>${title}</unitid><unitdate type="inclusive" normal="1800/1950">1800-1950</unitdate><physdesc><extent>300 linear feet</extent></physdesc><langmaterial><language langcode="eng">English</language></langmaterial></did>
<dsc>`);
  for (let n = 0; n < count;) {
    let text = `<c level="series"><did><unittitle>Series ${n}</unittitle><unitdate>1800-1950</unitdate></did>\n`;
    n += 1;
    for (let file = 0; file < 199 && n < count; file++, n++) text += component(n);
    yield Buffer.from(`${text}</c>\n`);
  }
  yield Buffer.from('</dsc></archdesc></ead>\n');
}

function component(n: number): string {
  const begin = 1800 + (n % 150);
  return `<c level="file" id="c${n}"><did><unittitle>${textOf(n, 6)} ${n}</unittitle><unitdate type="inclusive" normal="${begin}/${begin + 10}">${begin}-${begin + 10}</unitdate><container type="box" label="Mixed Materials">${Math.floor(n / 100)}</container><container type="folder">${n % 100}</container></did>
<scopecontent><p>${textOf(n + 3, 40)}</p></scopecontent><controlaccess><persname source="local">Person ${n % 300}</persname><subject source="local">Topic ${n % 200}</subject></controlaccess></c>
`;
}

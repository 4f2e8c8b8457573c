// Bodies of any size that cost whoever parses and checks them the most: by form, so that tests and benchmarks send the same.

/** A beginning, what is repeated, what stands between, and the end. */
type Form = {
  readonly begin: string;
  readonly unit: (at: number) => string;
  readonly between: string;
  readonly end: string;
};

const list = (begin: string, unit: string, end = ']}'): Form => ({ begin, unit: () => unit, between: ',', end });

const forms: { readonly [name: string]: Form } = {
  'empty lists': list('{"names":[', '[]'),
  'empty objects': list('{"names":[', '{}'),
  'objects without content': list('{"names":[', '{"x":""}'),
  'unknown properties': list('{"names":[', '{"x":1}'),
  'names without a name': list('{"names":[', '{"jsonmodel_type":"name_person"}'),
  'whole names': list('{"names":[', '{"primary_name":"a","name_order":"direct","sort_name":"a","rules":"local"}'),
  'wrong dates': list('{"dates":[', '{"begin":"2000","end":"1999","date_type":"inclusive","label":"creation"}'),
  notes: list(
    '{"title":"x","level":"item","notes":[',
    '{"jsonmodel_type":"note_multipart","type":"scopecontent","subnotes":[{"jsonmodel_type":"note_text","content":"x"}]}',
  ),
  refs: list('{"title":"x","subjects":[', '{"ref":"/subjects/1"}'),
  numbers: list('{"title":[', '1e308'),
  'the same key': list('{', '"title":"a"', '}'),
  'other keys': { begin: '{', unit: (at) => `"k${at}":${at}`, between: ',', end: '}' },
  'lists in lists': { begin: '{"notes":', unit: () => '[', between: '', end: '' },
  'objects in objects': { begin: '{"notes":', unit: () => '{"a":', between: '', end: '' },
  'notes in notes': {
    begin: '{"notes":[',
    unit: () => '{"jsonmodel_type":"note_multipart","subnotes":[',
    between: '',
    end: '',
  },
  'a long text': { begin: '{"title":"', unit: () => 'a', between: '', end: '"}' },
  'a text that never ends': { begin: '{"title":"', unit: () => '\\"', between: '', end: '' },
  escapes: { begin: '{"title":"', unit: () => '\\u0041', between: '', end: '"}' },
  markup: { begin: '{"title":"', unit: () => '<a ', between: '', end: '"}' },
  'a long date': { begin: '{"dates":[{"begin":"', unit: () => '1-', between: '', end: '"}]}' },
  'a long uri': { begin: '{"subjects":[{"ref":"', unit: () => '/subjects', between: '', end: '"}]}' },
  blanks: { begin: '', unit: () => ' ', between: '', end: '{}' },
  'bytes of no text': { begin: '{"title":"', unit: () => '\u0000', between: '', end: '"}' },
  'fields of a form': { begin: '', unit: (at) => `a[${at}]=%20`, between: '&', end: '' },
};

/** The forms there are. */
export const hostileForms: readonly string[] = Object.keys(forms);

/** A body of a form, of so many bytes or a little less. */
export function hostileBody(name: string, size: number): Buffer {
  const form = forms[name];
  if (form === undefined) throw new Error(`no form ${name}`);
  const { begin, unit, between, end } = form;
  const pieces: string[] = [];
  for (let length = begin.length + end.length, at = 0; ; at += 1) {
    const piece = unit(at);
    length += piece.length + between.length;
    if (length > size) return Buffer.from(begin + pieces.join(between) + end);
    pieces.push(piece);
  }
}

// The components of which the benchmarks of the index (search.ts) and of its documents (documents.ts) are made.
import type { JsonObject } from '#domain/json.ts';

const words =
  'letters harbor maps photographs ledger minutes correspondence estate survey diary sketch railway council parish botanical expedition treaty mission garden portrait'.split(
    ' ',
  );
/** Some words of a finding aid, which ones follows from `n`. */
export const textOfWords = (n: number, length: number): string =>
  Array.from({ length }, (_, index) => words[(n * 7 + index * (1 + (n % 5))) % words.length]).join(' ');

/** The body of the n-th component: with a date, a subject, an agent, a container and a note of forty words. */
export const componentOf = (n: number): JsonObject => ({
  jsonmodel_type: 'archival_object',
  title: `${textOfWords(n, 6)} ${n}`,
  level: 'file',
  ref_id: `ref${n}`,
  component_id: `MS-${n}`,
  dates: [
    {
      jsonmodel_type: 'date',
      date_type: 'inclusive',
      label: 'creation',
      begin: String(1800 + (n % 150)),
      end: String(1810 + (n % 150)),
    },
  ],
  subjects: [{ ref: `/subjects/${1 + (n % 200)}` }],
  linked_agents: [{ ref: `/agents/people/${1 + (n % 300)}`, role: 'creator', terms: [] }],
  instances: [
    {
      jsonmodel_type: 'instance',
      instance_type: 'mixed_materials',
      sub_container: {
        jsonmodel_type: 'sub_container',
        top_container: { ref: `/repositories/2/top_containers/${1 + (Math.floor(n / 100) % 1000)}` },
      },
    },
  ],
  notes: [
    {
      jsonmodel_type: 'note_multipart',
      type: 'scopecontent',
      publish: true,
      subnotes: [{ jsonmodel_type: 'note_text', content: textOfWords(n + 3, 40), publish: true }],
    },
  ],
});

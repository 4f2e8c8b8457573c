// A digital object with pages, hidden parts and hidden pages, and digital objects that are hidden.
import type { HiddenAgents } from './hidden-agents.ts';
import { hiddenParts, shown } from './hidden-parts.ts';
import type { Marks, Sending } from './hidden-parts.ts';

/** Dates and extents of what has nothing to hide in them. */
export const measures = {
  dates: [{ date_type: 'inclusive', label: 'creation', begin: '1900', end: '1950' }],
  extents: [{ portion: 'whole', number: '3', extent_type: 'linear_feet' }],
};

/** Makes the objects in the repository; the suppressed one is still to be suppressed, since what is suppressed cannot be linked to. */
export async function makeHiddenObjects(
  marks: Marks,
  { send, suppress }: Sending,
  repoUri: string,
  { subject, linkedAgents }: HiddenAgents,
): Promise<{ readonly digitalObject: string; readonly hiddenObject: string; readonly suppressedObject: string }> {
  const { hid, suppressed } = marks;
  const { langMaterials, documents, rights, file, management, userDefined } = hiddenParts(marks);
  const { dates, extents } = measures;
  const subjects = [{ ref: subject }];
  const objectNotes = (owner: string) => [
    { jsonmodel_type: 'note_digital_object', type: 'summary', publish: true, content: [shown] },
    ...['note', 'accessrestrict', 'physdesc', 'dimensions', 'prefercite', 'bioghist'].map((type) => ({
      jsonmodel_type: 'note_digital_object',
      type,
      publish: false,
      content: [hid(`${type} of ${owner}`)],
    })),
  ];

  const digitalObject = await send(`${repoUri}/digital_objects`, {
    digital_object_id: 'D1',
    title: 'Visible object',
    publish: true,
    linked_agents: linkedAgents,
    subjects,
    dates,
    extents,
    lang_materials: langMaterials('a digital object'),
    external_documents: documents('a digital object'),
    rights_statements: rights('a digital object'),
    file_versions: [
      { file_uri: 'http://example.org/seen.jpg', publish: true, use_statement: 'image-master' },
      file('file of a digital object'),
    ],
    notes: objectNotes('a digital object'),
    ...management('a digital object'),
    ...userDefined('a digital object'),
  });
  const page = (place: string, publish: boolean, more: object = {}) =>
    send(`${repoUri}/digital_object_components`, {
      digital_object: { ref: digitalObject },
      title: publish ? `Page ${place}` : hid(place),
      publish,
      ...more,
    });
  await page('seen', true, {
    file_versions: [file('file of a page')],
    notes: objectNotes('a page'),
    linked_agents: linkedAgents,
    lang_materials: langMaterials('a page'),
    external_documents: documents('a page'),
  });
  const hiddenPage = await page('title of an unpublished page', false, {
    notes: [
      {
        jsonmodel_type: 'note_digital_object',
        type: 'note',
        publish: true,
        content: [hid('note of an unpublished page')],
      },
    ],
    file_versions: [{ file_uri: `http://example.org/${hid('published file of an unpublished page')}`, publish: true }],
  });
  await send(`${repoUri}/digital_object_components`, {
    digital_object: { ref: digitalObject },
    parent: { ref: hiddenPage },
    title: hid('published page below an unpublished one'),
    publish: true,
  });
  await suppress(
    await send(`${repoUri}/digital_object_components`, {
      digital_object: { ref: digitalObject },
      title: suppressed('suppressed page'),
      publish: true,
      file_versions: [{ file_uri: `http://example.org/${suppressed('file of a suppressed page')}`, publish: true }],
    }),
  );
  const hiddenObject = await send(`${repoUri}/digital_objects`, {
    digital_object_id: hid('identifier of an unpublished digital object'),
    title: hid('title of an unpublished digital object'),
    publish: false,
    file_versions: [
      { file_uri: `http://example.org/${hid('published file of an unpublished digital object')}`, publish: true },
    ],
    notes: [
      {
        jsonmodel_type: 'note_digital_object',
        type: 'summary',
        publish: true,
        content: [hid('note of an unpublished digital object')],
      },
    ],
  });
  const suppressedObject = await send(`${repoUri}/digital_objects`, {
    digital_object_id: suppressed('identifier of a suppressed digital object'),
    title: suppressed('title of a suppressed digital object'),
    publish: true,
    file_versions: [
      { file_uri: `http://example.org/${suppressed('file of a suppressed digital object')}`, publish: true },
    ],
  });
  return { digitalObject, hiddenObject, suppressedObject };
}

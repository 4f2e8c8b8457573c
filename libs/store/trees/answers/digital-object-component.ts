// What trees of digital objects add: types, labels, dates and files.
import { textOf } from '#domain/json.ts';
import type { KindKeys } from './kinds.ts';
import { datesOf, fileUrisOf } from './page.ts';

/** Keys of digital object components and their digital object. The root always has `file_uri_summary`, a component where it has files. */
export const digitalObjectComponentKeys: KindKeys = {
  root: (body) => ({ digital_object_type: textOf(body, 'digital_object_type') ?? null, file_uri_summary: fileUrisOf(body) }),
  entry: (body) => ({ label: textOf(body, 'label'), dates: datesOf(body), file_uri_summary: fileUrisOf(body) || undefined }),
  node: () => ({}),
};

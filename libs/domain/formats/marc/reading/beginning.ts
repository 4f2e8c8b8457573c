// Whether a file begins as MARCXML does, and of which sort its records are.
import type { Beginning } from '../../define-recognition.ts';

/** The namespace of MARCXML. */
export const marcNamespace = 'http://www.loc.gov/MARC21/slim';

/** Whether the root is a `collection` or `record` of MARCXML. */
export const isMarcXml = ({ elements, text }: Beginning): boolean =>
  (elements[0] === 'collection' || elements[0] === 'record') &&
  text.toLowerCase().includes(marcNamespace.toLowerCase());

/** Whether the first records are authority data: type of record z, position 6 of the leader. */
export const isAuthority = ({ text }: Beginning): boolean => /<(?:[\w.-]+:)?leader[^>]*>.{6}z/.test(text);

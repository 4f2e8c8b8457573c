// MARC 21 in XML as a table: a data table after the MARCXML standard of the Library of Congress (version 1.2).
import { contentModel } from './check.ts';

/** MARCXML, "slim". */
export const marc21 = contentModel({
  namespace: 'http://www.loc.gov/MARC21/slim',
  roots: 'collection record',
  values: {
    'controlfield@tag': /^00[1-9A-Za-z]$/,
    'datafield@tag': /^(?:0[1-9A-Z][0-9A-Z]|0[1-9a-z][0-9a-z]|[1-9A-Z][0-9A-Z]{2}|[1-9a-z][0-9a-z]{2})$/,
    ind1: /^[\da-z ]$/,
    ind2: /^[\da-z ]$/,
    code: /^[\dA-Za-z!"#$%&'()*+,./:;<=>?{}_^`~[\]\\-]$/,
  },
  texts: {
    leader: /^[\d ]{5}[\dA-Za-z ][\dA-Za-z][\dA-Za-z ]{3}[2 ][2 ][\d ]{5}[\dA-Za-z ]{3}(?:4500| {4})$/,
  },
  rows: [
    ['collection', '(record )*'],
    // The standard lets a record be empty; one that goes out has a leader, and fields.
    [
      'record',
      'leader (controlfield )*(datafield )+',
      'type=Bibliographic|Authority|Holdings|Classification|Community',
    ],
    ['leader', '#'],
    ['controlfield', '#', 'tag!'],
    ['datafield', '(subfield )+', 'tag! ind1! ind2!'],
    ['subfield', '#', 'code!'],
  ],
});

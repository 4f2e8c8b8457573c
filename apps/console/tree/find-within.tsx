// Finding a node of one tree while typing.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonObject } from '../../../libs/domain/json.ts';
import { isObject, objectsOf, textOf } from '../../../libs/domain/json.ts';
import { useAsked } from '../asking.tsx';
import { Combobox } from '../finding/combobox.tsx';
import { b } from './words.ts';

type Finding = {
  /** The root of the tree, and its type, which is the name of the field that nodes have it in. */
  readonly uri: string;
  readonly kind: string;
  /** Hears the uri of the node that was chosen. */
  readonly onFound: (node: string) => void;
};

const mostShown = 10;

/** The field. */
export function FindWithin({ uri, kind, onFound }: Finding): JSX.Element {
  const [typed, setTyped] = useState('');
  const repository = /^\/repositories\/\d+/.exec(uri)?.[0] ?? null;
  const useFound = (words: string | null): readonly JsonObject[] => {
    const { value } = useAsked(words === null ? null : `${repository ?? ''}/search`, {
      // The last word is still being typed.
      q: `${(words ?? '').replaceAll(/[^\p{L}\p{N}\s]+/gu, ' ').trim()}*`,
      page: 1,
      page_size: mostShown,
      fields: ['id', 'uri', 'title', 'primary_type'],
      filter_term: [JSON.stringify({ [kind]: uri })],
    });
    return words !== null && isObject(value) ? objectsOf(value, 'results') : [];
  };
  return (
    <Combobox
      id="find-within"
      label={b('find')}
      typed={typed}
      onType={setTyped}
      onChoose={(row) => {
        setTyped('');
        onFound(textOf(row, 'uri') ?? '');
      }}
      repository={repository}
      useFound={useFound}
    />
  );
}

// Words that are typed into a field and stand in the address once the typing has rested.
import { useEffect, useRef, useState } from 'preact/hooks';
import { go, query, withQuery } from './address.ts';
import { useRested } from './asking.tsx';

const restMs = 250;

/** The words of a parameter of the address, as a field has them, and what takes what is typed. Nothing is to be gone back to for each of them. */
export function useTyped(parameter: string): readonly [typed: string, type: (words: string) => void] {
  const asked = query.value;
  const [typed, setTyped] = useState(asked.get(parameter) ?? '');
  const rested = useRested(typed, restMs);
  const put = useRef(typed);
  useEffect(() => {
    if (rested === (query.value.get(parameter) ?? '')) return;
    put.current = rested;
    go(withQuery({ [parameter]: rested }), true);
  }, [rested]);
  // Links, back and forward change the words in the address, and so those in the field. Not those that were put there from it: more may have been typed since.
  useEffect(() => {
    const words = asked.get(parameter) ?? '';
    if (words === put.current) return;
    put.current = words;
    setTyped(words);
  }, [asked]);
  return [typed, setTyped];
}

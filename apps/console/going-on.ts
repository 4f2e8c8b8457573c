// Going on to what somebody waited for, where they still wait for it.
import { useEffect, useRef } from 'preact/hooks';
import { go } from './address.ts';

/** Goes to an address, but for whoever has left the view meanwhile: they stay where they are. */
export function useGoingOn(): (to: string) => void {
  const isLeft = useRef(false);
  useEffect(
    () => () => {
      isLeft.current = true;
    },
    [],
  );
  return (to) => {
    if (!isLeft.current) go(to);
  };
}

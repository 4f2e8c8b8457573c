// What the service said is wrong with a record, each with the way to its field.
import type { JSX } from 'preact';
import { useContext, useEffect, useRef } from 'preact/hooks';
import type { ServiceError } from '../../../libs/client/errors.ts';
import { isObject } from '../../../libs/domain/json.ts';
import type { Faults } from './form.tsx';
import { InForm, idOf } from './form.tsx';
import { e, fieldName, saidBy } from './words.ts';

/** The faults of a refusal by path; null where it does not name any. */
export function faultsIn(error: ServiceError): Faults | null {
  const found = error.error;
  if (error.status !== 400 || !isObject(found)) return null;
  return Object.fromEntries(
    Object.entries(found).map(([path, says]) => [path, (Array.isArray(says) ? says : [says]).map(String)]),
  );
}

/** All faults of the form; nothing where there are none. Whoever has saved is led here. */
export function FaultList(): JSX.Element | null {
  const form = useContext(InForm);
  const box = useRef<HTMLDivElement>(null);
  const faults = Object.entries(form.faults.value);
  const turn = form.refused.value;
  useEffect(() => box.current?.focus(), [turn]);
  if (faults.length === 0) return null;
  return (
    <div class="fault-box" role="group" aria-labelledby="faults" tabIndex={-1} ref={box}>
      <h2 id="faults">{e('faults_title')}</h2>
      <ul>
        {faults.map(([path, says]) => (
          <li key={path}>
            <button type="button" class="plain" onClick={() => show(path)}>
              {placeOf(path)}
            </button>
            : {says.map(saidBy).join(' ')}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Puts the focus on the field at a path, or on what it stands in. */
function show(path: string): void {
  const steps = path.split('/');
  const paths = steps.map((_, index) => steps.slice(0, steps.length - index).join('/'));
  const found = paths.flatMap((each) => document.getElementById(idOf(each)) ?? []).at(0);
  found?.focus();
  found?.scrollIntoView({ block: 'center' });
}

const placeOf = (path: string): string =>
  path
    .split('/')
    .map((step) => (/^\d+$/.test(step) ? String(Number(step) + 1) : fieldName(step)))
    .join(' › ');

// Moving in: how an archive comes from another service, the loads that bring it, and the report that proves what came.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Section } from '../section.tsx';
import { may } from '../session.ts';
import { useTitle } from '../title.ts';
import { t } from '../words.ts';
import { Comparison } from './comparison.tsx';
import { Loads } from './loads.tsx';
import { Start } from './start.tsx';
import { say } from './words.ts';

/** The view of moving in. */
export function MovingInView(): JSX.Element {
  useTitle(t('nav_moving'));
  const [begun, setBegun] = useState(0);
  return (
    <>
      <h1>{t('nav_moving')}</h1>
      {may('administer_system', null) ? (
        <>
          <Section id="how" title={say('how')}>
            <How />
          </Section>
          <Section id="start" title={say('start')}>
            <Start onBegun={() => setBegun(begun + 1)} />
          </Section>
          <Section id="loads" title={say('loads')}>
            <Loads key={begun} />
          </Section>
          <Section id="report" title={say('report')}>
            <Comparison />
          </Section>
        </>
      ) : (
        <p class="empty">{say('denied')}</p>
      )}
    </>
  );
}

const source = 'https://archives.example.org/api';

function How(): JSX.Element {
  const here = `--url ${location.origin}`;
  return (
    <>
      <p>{say('how_more')}</p>
      <ol class="steps">
        <li>
          {say('step_load')}
          <Commands lines={[`muniment migrate --from ${source} --user admin ${here}`]} />
        </li>
        <li>
          {say('step_prove')}
          <Commands lines={[`muniment verify --against ${source} --report differences.ndjson ${here}`]} />
        </li>
        <li>{say('step_look')}</li>
      </ol>
      <details>
        <summary>{say('in_halves')}</summary>
        <p>{say('halves_more')}</p>
        <Commands
          lines={[
            `muniment migrate --from ${source} --user admin --into archive`,
            `muniment migrate --from archive ${here}`,
            `muniment verify --against archive --report differences.ndjson ${here}`,
          ]}
        />
      </details>
      <p class="hint">
        {say('guide')} <code>docs/guides/migrating.md</code>
      </p>
    </>
  );
}

const Commands = ({ lines }: { readonly lines: readonly string[] }): JSX.Element => (
  <pre class="commands">{lines.join('\n')}</pre>
);

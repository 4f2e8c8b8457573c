// What came of a comparison as a whole: the verdict, how many records of each list and sort differ, and what may differ.
import type { JSX } from 'preact';
import { withQuery } from '../address.ts';
import { Table } from '../table.tsx';
import { number, t } from '../words.ts';
import { goToDifferences } from './differences.tsx';
import type { ListCount, Report, Sort } from './report.ts';
import { sorts } from './report.ts';
import { say } from './words.ts';

/** What came of it, in a sentence. */
export function verdictOn({ verdict, total }: Report): string {
  if (verdict?.same === true) return say('same');
  return total === 1 ? say('one_difference') : say('differences', { count: total });
}

/** All of it. */
export function Summary({ report }: { readonly report: Report }): JSX.Element {
  const { verdict, kept, total, broken, brokenTotal } = report;
  return (
    <>
      <p class={verdict?.same === true ? 'verdict fine' : 'verdict'}>
        <strong>{verdictOn(report)}</strong>
      </p>
      {verdict === null ? (
        <p class="notice">{say('no_verdict')}</p>
      ) : (
        <dl class="properties">
          {([say('source'), say('here')] as const).map((name, index) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <bdi>{index === 0 ? verdict.source : verdict.here}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {verdict?.isSampled === false && <p class="hint">{say('not_sampled')}</p>}
      {kept.length < total && <p class="notice">{say('not_all', { kept: kept.length, total })}</p>}
      {brokenTotal > 0 && (
        <div class="fault-box">
          <p>{say('broken', { count: brokenTotal })}</p>
          <ul>
            {broken.map(({ line, why }) => (
              <li key={line}>
                {t('at_line', { line })}: {say(`broken_${why}`)}
              </li>
            ))}
          </ul>
          {brokenTotal > broken.length && <p>{t('more', { count: brokenTotal - broken.length })}</p>}
        </div>
      )}
      <Lists report={report} />
      {verdict !== null && verdict.allowed.size > 0 && (
        <details>
          <summary>{say('allowed')}</summary>
          <p class="hint">{say('allowed_more')}</p>
          <Table
            title={say('allowed')}
            columns={[say('records'), say('reason')]}
            rows={[...verdict.allowed].map(([reason, count]) => [number(count), reason])}
          />
        </details>
      )}
    </>
  );
}

/** The lists, those that differ before those that do not. */
function Lists({ report: { verdict, counts } }: { readonly report: Report }): JSX.Element {
  const known = new Map((verdict?.lists ?? []).map((each) => [each.list, each]));
  const names = [...new Set([...known.keys(), ...counts.keys()])];
  const differing = names.filter((list) => counts.has(list) || (known.get(list)?.differing ?? 0) > 0);
  const same = names.filter((list) => !differing.includes(list));
  const shown = sorts.filter((sort) => [...counts.values()].some((ofList) => ofList.has(sort)));
  const records = verdict === null ? [] : [say('in_source'), say('in_here'), say('records_differing')];
  return (
    <>
      {differing.length > 0 && (
        <Table
          title={say('lists')}
          columns={[say('list'), ...records, ...shown.map((sort) => say(sort))]}
          isNamed
          rows={differing.map((list) => [
            <bdi key="list">{list}</bdi>,
            ...(verdict === null ? [] : figuresOf(known.get(list))),
            ...shown.map((sort) => <Count key={sort} list={list} sort={sort} count={counts.get(list)?.get(sort)} />),
          ])}
        />
      )}
      {same.length > 0 && (
        <details>
          <summary>{say('lists_same', { count: same.length })}</summary>
          <Table
            title={say('lists_same', { count: same.length })}
            columns={[say('list'), say('in_source'), say('in_here')]}
            isNamed
            rows={same.map((list) => [<bdi key="list">{list}</bdi>, ...figuresOf(known.get(list)).slice(0, 2)])}
          />
        </details>
      )}
    </>
  );
}

const figuresOf = (counted: ListCount | undefined): readonly string[] =>
  [counted?.source, counted?.here, counted?.differing].map((value) => (value === undefined ? '' : number(value)));

type Counted = { readonly list: string; readonly sort: Sort; readonly count: number | undefined };

/** How many differences of a sort a list has, as the way to them. */
function Count({ list, sort, count }: Counted): JSX.Element {
  if (count === undefined) return <></>;
  const to = withQuery({ list, sort, property: null, text: null });
  return (
    <a
      href={to}
      aria-label={say('show_these', { count, sort: say(sort), list })}
      onClick={(event) => {
        event.preventDefault();
        goToDifferences(to);
      }}
    >
      {number(count)}
    </a>
  );
}

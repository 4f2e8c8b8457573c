// The choice of a repository, as views show it.
import type { JSX } from 'preact';
import { go, withQuery } from './address.ts';
import { rememberRepository, repositories } from './repositories.ts';
import { t } from './words.ts';

/** A choice that goes into the address; `all` offers all of them together. */
export function RepositoryChoice(props: { readonly chosen: string | null; readonly all: boolean }): JSX.Element {
  const choose = (uri: string): void => {
    rememberRepository(uri);
    go(withQuery({ repo: uri }), true);
  };
  if (!props.all && (repositories.value ?? []).length === 0) return <></>;
  return (
    <label class="choice">
      <span>{t('repository')}</span>
      <select value={props.chosen ?? ''} onChange={(event) => choose(event.currentTarget.value)}>
        {props.all && <option value="">{t('all_repositories')}</option>}
        {(repositories.value ?? []).map(({ uri, name }) => (
          <option key={uri} value={uri}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

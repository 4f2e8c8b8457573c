// What views say that need a repository where somebody may see none: how to make the first one, or whom to ask.
import type { JSX } from 'preact';
import { may } from './session.ts';
import { t } from './words.ts';

/** The text, with the way to the form of a repository for who may make one. */
export const NoRepository = (): JSX.Element =>
  may('create_repository', null) ? (
    <>
      <p class="empty">{t('no_repository_yet')}</p>
      <a class="button" href="/console/new/repositories">
        {t('first_repository')}
      </a>
    </>
  ) : (
    <p class="empty">{t('no_repository')}</p>
  );

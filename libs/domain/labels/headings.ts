// Labels of headings and of repositories (contract 3.4).
import type { JsonObject } from '../json.ts';
import { objectsOf, textOf } from '../json.ts';

/** `title` of a subject: its terms joined by ' -- '. Terms are given as objects; the store puts them in the place of uris. */
export function subjectTitle(body: JsonObject): string {
  return objectsOf(body, 'terms')
    .map((term) => textOf(term, 'term'))
    .filter((term) => term !== undefined)
    .join(' -- ');
}

/** `display_string` of a repository: `name (code)`. */
export function repositoryLabel(body: JsonObject): string {
  return `${textOf(body, 'name') ?? ''} (${textOf(body, 'repo_code') ?? ''})`;
}

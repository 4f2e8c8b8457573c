// Kind repository. Properties follow the contract (schemas.json) in its order.
// What the thing is to an archivist stands in `doc`.
import { defineKind } from '../kind.ts';
import { refTo } from '../schema/build.ts';
import { isSlugAuto, slug } from './parts/identifiers.ts';
import { textOf } from '../json.ts';
import { isList } from '../settings/oai-config.ts';
import { repositoryLabel } from '../labels/headings.ts';
import { toSlug } from '../text/slug.ts';
import { lowerAscii } from '../text/fold.ts';
import type { Rule } from '../schema/property.ts';

/** Contract OAI 5: levels by the ids of their values, as JSON text. What cannot be read would allow every level to harvesters, and nobody would be told. */
const levelsCanBeRead: Rule = (body, report) => {
  const text = textOf(body, 'oai_sets_available');
  // Forms write the word `null` where no level is chosen.
  if (text?.trim() !== 'null' && !isList(text, (id) => /^\d+$/.test(String(id))))
    report('oai_sets_available', 'must be the JSON text of a list of ids');
};

/** Where an ARK is read as an address, ? and # end it: all records of the repository would bear the same. Blanks alone are what a form leaves behind. */
const shoulderStandsInNames: Rule = (body, report) => {
  const shoulder = textOf(body, 'ark_shoulder') ?? '';
  if (shoulder !== '' && (shoulder.trim() === '' || /[?#]/.test(shoulder)))
    report('ark_shoulder', 'must not be blank, nor have ? or # in it');
};

/** Kind `repository`. */
export const repository = defineKind({
  name: 'repository',
  uri: '/repositories/:id',
  model: 'Repository',
  doc: 'The institution, or the part of one, that holds material and answers for it. Every accession, resource, digital object, container and event belongs to exactly one repository, and permissions are given by repository. Its code is short and stands in identifiers and labels; its agent is the corporate body that acts for it. What a hidden repository describes is not public, whatever its records say.',
  properties: {
    uri: { type: 'string', readonly: true },
    repo_code: { type: 'string', minLength: 1, maxLength: 255, required: 'error' },
    name: { type: 'string', maxLength: 255, required: 'error', default: '' },
    org_code: { type: 'string', maxLength: 255 },
    country: { type: 'string', enumeration: 'country_iso_3166' },
    parent_institution_name: { type: 'string', maxLength: 255 },
    description: { type: 'string', maxLength: 65000 },
    url: { type: 'string', maxLength: 255, pattern: '\\Ahttps?:\\/\\/[\\S]+\\z' },
    image_url: { type: 'string', maxLength: 255, pattern: '\\Ahttps?:\\/\\/[\\S]+\\z' },
    contact_persons: { type: 'string', maxLength: 65000 },
    publish: { type: 'boolean' },
    position: { type: 'integer', readonly: true, kept: 'body', release: 'R-B', hiddenElsewhere: true },
    display_string: { type: 'string', readonly: true },
    oai_is_disabled: { type: 'boolean' },
    oai_sets_available: { type: 'string' },
    slug,
    is_slug_auto: isSlugAuto,
    ark_shoulder: { type: 'string' },
    // Public pages put this name over all that the repository holds, whether or not its agent is published.
    agent_representation: {
      ...refTo(['agent_corporate_entity']),
      readonly: true,
      kept: 'body',
      resolvedInSearch: 'named',
    },
  },
  rules: [levelsCanBeRead, shoulderStandsInNames],
  publishable: true,
  // Making one seeds groups and an agent, deleting one is a job: apps/api/routes/repositories.ts.
  uniform: false,
  ownSlug: true,
  listing: 'own',
  may: { read: 'public', create: 'create_repository', update: 'create_repository', delete: 'delete_repository' },
  unique: [
    {
      name: 'repository.repo_code',
      within: 'everywhere',
      // The incumbent's database compares without case (db/migrations/0068_repository_codes_of_any_case.sql).
      key: (body) => lowerAscii(textOf(body, 'repo_code') ?? '') || null,
      property: 'repo_code',
      says: 'short name already in use',
    },
  ],
  links: {
    agent_representation: { whenTargetGoes: { refuse: "This agent is linked to a repository and can't be removed" } },
  },
  // Repositories alone have a slug even where slugs are off, unless nothing is left of their code (contract 6.16), and say that they are harvested (recorded).
  generate: (body) => {
    const own = body['is_slug_auto'] === false ? toSlug(textOf(body, 'slug') ?? '') : '';
    const slug = own === '' ? toSlug(textOf(body, 'repo_code') ?? '') : own;
    const named = slug === '' ? { slug: undefined, is_slug_auto: false } : { slug };
    return { ...body, oai_is_disabled: body['oai_is_disabled'] === true, ...named };
  },
  label: repositoryLabel,
  labelProperty: 'display_string',
  stale: true,
  search: {
    shownInItsRepository: true,
    fields: {
      title: { read: (record) => textOf(record, 'repo_code') },
      repository: { read: (record) => textOf(record, 'uri') },
      repo_sort: { type: 'sort', read: (record) => textOf(record, 'display_string') ?? textOf(record, 'name') },
      position_int_sort: {
        read: (record) => (typeof record['position'] === 'number' ? record['position'] : undefined),
      },
    },
  },
  firstId: 2,
  example: { repo_code: 'X2', name: 'X2' },
});

// What changes of settings do to the database as a whole, row by row: controlled lists and their values, groups, definitions of assessments, forms,
// preferences, the OAI provider, repositories. Read beside the contract (behaviour-records 1.3, 6.13, 6.14) before it was kept.
import { expect, it } from 'vitest';
import type { Caller } from '#domain/access/caller.ts';
import { prepare } from '#domain/checking/prepare.ts';
import type { JsonObject } from '#domain/json.ts';
import { kindNamed } from '#domain/addresses.ts';
import {
  createGroup,
  deleteGroup,
  groupBody,
  readGroups,
  setGlobalMembership,
  setGroupsOf,
  updateGroup,
} from '#store/access/groups.ts';
import { IdRow } from '#store/connection/columns.ts';
import type { Transaction } from '#store/connection/database.ts';
import { sql } from '#store/connection/sql.ts';
import { checkValue, moveValue, suppressValue, updateValue } from '#store/enumerations/update-value.ts';
import { createEnumeration, migrateValue, updateEnumeration } from '#store/enumerations/update.ts';
import { setRepositoryPosition } from '#store/repositories/repositories.ts';
import { readAttributeDefinitions, replaceAttributeDefinitions } from '#store/settings/assessment-definitions.ts';
import { readFormSetting, writeFormSetting } from '#store/settings/form-settings.ts';
import { readOaiConfig, updateOaiConfig } from '#store/settings/oai-config.ts';
import { createPreference, deletePreference, updatePreference } from '#store/settings/preferences.ts';
import type { Work } from '#test/support/kept-changes.ts';
import { expectChanges } from '#test/support/kept-changes.ts';
import { loadHarbour } from '#test/support/loaded-harbour.ts';
import { testContext } from '#test/support/make/prepare-context.ts';

const database = await loadHarbour();
const repoId = 2;
const actor = 'jane';
const context = { actor, trims: true };

// Those of the rows are told.
const withoutTimes = ({
  system_mtime: _system,
  user_mtime: _user,
  create_time: _made,
  ...rest
}: JsonObject): JsonObject => rest;

const keepChanges = (works: { readonly [name: string]: Work }, name: string): Promise<void> =>
  expectChanges(database, works, name);

const listId = async (tx: Transaction, list: string): Promise<number> =>
  (await tx.one(sql.type(IdRow)`SELECT id FROM enumeration WHERE name = ${list}`)).id;
const valueId = async (tx: Transaction, list: string, value: string): Promise<number> =>
  (
    await tx.one(sql.type(IdRow)`
      SELECT v.id FROM enumeration_value v JOIN enumeration e ON e.id = v.enumeration_id WHERE e.name = ${list} AND v.value = ${value}`)
  ).id;

it('changes controlled lists', async () => {
  const made = { name: 'mine', values: [' a ', 'b', 'b', ''], default_value: 'b' };
  /** A list of three values, of which the first is hidden, and what becomes of it. */
  const update =
    (body: JsonObject, lockVersion = 0): Work =>
    async (tx) => {
      const { id } = await createEnumeration(
        tx,
        { name: 'mine', values: ['a', 'b', 'c'], default_value: 'b' },
        context,
      );
      await suppressValue(tx, await valueId(tx, 'mine', 'a'), true);
      return updateEnumeration(tx, id, body, lockVersion, context);
    };
  await keepChanges(
    {
      'a new one': (tx) => createEnumeration(tx, made, context),
      'a new one, untrimmed': (tx) => createEnumeration(tx, made, { actor, trims: false }),
      'a new one without values': (tx) => createEnumeration(tx, { name: 'mine' }, context),
      'a name that is taken': (tx) => createEnumeration(tx, { ...made, name: 'date_label' }, context),
      'a default that is no value': (tx) => createEnumeration(tx, { ...made, default_value: 'x' }, context),
      'a value too long': (tx) => createEnumeration(tx, { name: 'mine', values: ['x'.repeat(256)] }, context),
      'other values and another order': update({ values: ['d', 'c', ' b '], default_value: 'd' }),
      'a default that is hidden': update({ values: ['b', 'c'], default_value: 'a' }),
      'no values': update({ values: [] }),
      'a hidden value once more': update({ values: ['a', 'b'] }),
      'a default that goes': update({ values: ['c'], default_value: 'b' }),
      'an old version': update({ values: ['b'] }, 3),
      'a value that is used': async (tx) =>
        updateEnumeration(tx, await listId(tx, 'date_label'), { values: [] }, 0, context),
      'a list that nobody edits': async (tx) =>
        updateEnumeration(tx, await listId(tx, 'archival_record_level'), { values: ['mine'] }, 0, context),
      'a list that is not there': (tx) => updateEnumeration(tx, 99_999, {}, 0, context),
    },
    'lists',
  );
});

it('changes values of lists', async () => {
  const value =
    (text: string, work: (tx: Transaction, id: number) => Promise<unknown>, list = 'date_label'): Work =>
    async (tx) =>
      work(tx, await valueId(tx, list, text));
  const migrate =
    (list: string, from: string, to: string): Work =>
    async (tx) => {
      const { default_value: now } = await migrateValue(tx, await listId(tx, list), from, to, context);
      return now ?? null;
    };
  await keepChanges(
    {
      'another text': value('deaccession', (tx, id) => updateValue(tx, id, { value: ' gone ' }, 0, context)),
      'another place': value('issued', (tx, id) => updateValue(tx, id, { value: 'issued', position: 0 }, 0, context)),
      'another place alone': value('issued', (tx, id) => moveValue(tx, id, 0)),
      'the same': value('issued', (tx, id) => updateValue(tx, id, {}, 0, context)),
      'blanks alone': value('issued', (tx, id) => updateValue(tx, id, { value: ' ' }, 0, context)),
      'blanks that stay': value(
        'issued',
        async (tx, id) => (await checkValue(tx, id, { value: ' x ' }, 0, { actor, trims: false })).value,
      ),
      'a text that is taken': value('issued', (tx, id) => updateValue(tx, id, { value: 'creation' }, 0, context)),
      'an old version': value('issued', (tx, id) => updateValue(tx, id, {}, 5, context)),
      'a value hidden': value('issued', (tx, id) => suppressValue(tx, id, true)),
      'a hidden value': value('issued', async (tx, id) => {
        await suppressValue(tx, id, true);
        return updateValue(tx, id, { value: 'x' }, 0, context);
      }),
      'a value of a list that nobody edits': value(
        'file',
        (tx, id) => updateValue(tx, id, { value: 'x' }, 0, context),
        'archival_record_level',
      ),
      'a value into another': migrate('date_label', 'deaccession', 'issued'),
      'a value into itself': migrate('date_label', 'issued', 'issued'),
      'a value that is not there': migrate('date_label', 'none', 'issued'),
      'a value into none': migrate('date_label', 'issued', 'none'),
      'a value of no editable list': migrate('archival_record_level', 'file', 'item'),
    },
    'values',
  );
});

it('changes groups, with their grants and members', async () => {
  const own = { actor, repoId, generatedValues: testContext().generatedValues, caller: null };
  const archivist: Caller = {
    userId: 1,
    username: 'admin',
    agentUri: null,
    grants: new Map([[repoId, new Set(['view_repository', 'manage_repository'])]]),
  };
  const made = async (
    tx: Transaction,
    grants: readonly string[] = ['view_repository'],
    members: readonly string[] = [],
  ): Promise<number> => (await createGroup(tx, groupBody('keepers', 'Keepers', grants, members), own)).id;
  await keepChanges(
    {
      'a new one': (tx) =>
        made(tx, ['view_repository', 'view_repository', 'edit_user_self'], [' ADMIN ', 'search_indexer']),
      'an unknown grant and another': (tx) => made(tx, ['fly', 'swim', 'view_repository']),
      'a grant of all repositories': (tx) => made(tx, ['create_repository']),
      'a member that nobody is': (tx) => made(tx, [], ['nobody']),
      'members that nobody is': (tx) => made(tx, [], ['nobody', 'none', 'admin']),
      'other grants and members': async (tx) => {
        const id = await made(tx, ['view_repository', 'manage_repository'], ['admin', 'search_indexer']);
        return updateGroup(
          tx,
          id,
          groupBody('keepers', 'Others', ['view_repository', 'update_resource_record'], ['admin']),
          0,
          true,
          own,
        );
      },
      'other grants alone': async (tx) => {
        const id = await made(tx, ['view_repository'], ['admin']);
        return updateGroup(tx, id, groupBody('keepers', 'Others', [], []), 0, false, own);
      },
      'one that goes': async (tx) => {
        const id = await made(tx, ['view_repository'], ['admin']);
        await deleteGroup(tx, id, repoId, actor);
      },
      'groups of a user': async (tx) => {
        const [one, two] = [
          await made(tx),
          (await createGroup(tx, groupBody('others', 'Others', [], ['admin']), own)).id,
        ];
        await setGroupsOf(tx, 1, repoId, [one, one], null);
        return [
          (await readGroups(tx, repoId, { id: one }, true)).map((text) => JSON.parse(text).member_usernames),
          await readGroups(tx, repoId, { code: 'others' }, false).then(
            ([text = '']) => JSON.parse(text).member_usernames,
          ),
          two - one,
        ];
      },
      'a group that is not there': (tx) => setGroupsOf(tx, 1, repoId, [99_999], null),
      'a user that is not there': (tx) => setGroupsOf(tx, 99_999, repoId, [], null),
      'more administrators': (tx) => setGlobalMembership(tx, 2, 'administrators', true),
      'an administrator already': (tx) => setGlobalMembership(tx, 1, 'administrators', true),
      'the last administrator': (tx) => setGlobalMembership(tx, 1, 'administrators', false),
      'more than who gives has': async (tx) => {
        const id = await made(tx, ['update_resource_record']);
        await setGroupsOf(tx, 2, repoId, [id], archivist);
      },
      'what who gives has': async (tx) => {
        const id = await made(tx, ['view_repository']);
        await setGroupsOf(tx, 2, repoId, [id], archivist);
      },
      'grants that who gives lacks': (tx) =>
        createGroup(tx, groupBody('keepers', 'K', ['update_resource_record'], []), { ...own, caller: archivist }),
    },
    'groups',
  );
});

it('changes definitions of assessments, forms, and the OAI provider', async () => {
  const replace =
    (...definitions: readonly JsonObject[]): Work =>
    async (tx) => {
      await replaceAttributeDefinitions(tx, repoId, {
        definitions: [
          { label: 'Mould', type: 'rating' },
          { label: 'Maps', type: 'format' },
          { label: 'Mould', type: 'rating' },
        ],
      });
      const known = (await readAttributeDefinitions(tx, repoId)).filter((each) => !each.global);
      const [mould, maps] = ['Mould', 'Maps'].map((label) => known.find((each) => each.label === label)?.id ?? 0);
      await replaceAttributeDefinitions(tx, repoId, {
        definitions: definitions.map((one) => ({
          ...one,
          ...(one['id'] === 'mould' ? { id: mould ?? 0 } : one['id'] === 'maps' ? { id: maps ?? 0 } : {}),
        })),
      });
      return (await readAttributeDefinitions(tx, repoId))
        .filter((each) => !each.global)
        .map(({ id: _, ...each }) => each);
    };
  const form = { kind: 'default_values', repoId, recordType: 'event' } as const;
  await keepChanges(
    {
      'definitions in another order, one of another name': replace(
        { id: 'maps', label: 'Charts', type: 'format', readonly: true },
        { id: 'mould', label: 'Mould', type: 'rating' },
      ),
      'definitions with new ones, those of all left out': replace(
        { id: 'mould', label: 'Mould', type: 'rating' },
        { label: 'New', type: 'conservation_issue' },
        { id: 1, global: true, label: 'Reformatting Readiness', type: 'rating' },
      ),
      'definitions that change their names': replace(
        { id: 'mould', label: 'Maps', type: 'format' },
        { id: 'maps', label: 'Mould', type: 'rating' },
      ),
      'an id of another, which is new': replace({ id: 1, label: 'Own', type: 'rating' }),
      'two of a name': replace({ id: 'mould', label: 'Same', type: 'rating' }, { label: 'Same', type: 'rating' }),
      none: replace(),
      'a new form': async (tx) => [
        await writeFormSetting(tx, form, { record_type: 'event', defaults: { a: 1 } }, undefined, actor),
        withoutTimes(await readFormSetting(tx, form)),
      ],
      'a form once more': async (tx) => {
        await writeFormSetting(tx, form, { defaults: { a: 1 } }, 0, actor);
        return writeFormSetting(tx, form, { defaults: {} }, 0, 'joe');
      },
      'an old form': async (tx) => {
        await writeFormSetting(tx, form, { defaults: { a: 1 } }, 0, actor);
        return writeFormSetting(tx, form, { defaults: {} }, 7, actor);
      },
      'a form of no version': (tx) => writeFormSetting(tx, form, {}, -1, actor),
      'a form of half a version': (tx) => writeFormSetting(tx, form, {}, 0.5, actor),
      'a form that is not there': (tx) => readFormSetting(tx, { ...form, recordType: 'none' }),
      'the OAI provider': async (tx) => [
        await updateOaiConfig(tx, { oai_repository_name: 'Mine' }, actor),
        withoutTimes(await readOaiConfig(tx)),
      ],
    },
    'settings',
  );
});

it('changes preferences, and the order of repositories', async () => {
  const prepared = (body: JsonObject) => prepare(kindNamed('preference'), body, testContext());
  const own = { actor, repoId, generatedValues: testContext().generatedValues };
  const create = (tx: Transaction, body: JsonObject = { user_id: 1, defaults: { publish: true } }) =>
    createPreference(tx, prepared(body), own);
  await keepChanges(
    {
      'of a user': (tx) => create(tx),
      'of a user once more': async (tx) => {
        await create(tx);
        return create(tx);
      },
      'others of a user': async (tx) => {
        const { id } = await create(tx);
        return updatePreference(tx, id, prepared({ user_id: 1, defaults: { publish: false } }), 0, own);
      },
      'of nobody any more': async (tx) => {
        const { id } = await create(tx);
        await deletePreference(tx, id, repoId, actor);
      },
      'a repository in another place': (tx) => setRepositoryPosition(tx, repoId, 1),
      'a repository that is not there': (tx) => setRepositoryPosition(tx, 99, 1),
    },
    'preferences',
  );
});

it('tells of groups what is asked', async () => {
  const groups = (only: object, withMembers: boolean) =>
    database.transaction((tx) => readGroups(tx, 1, only, withMembers));
  const [admins = ''] = await groups({ code: 'administrators' }, true);
  expect(JSON.parse(admins)).toMatchObject({ group_code: 'administrators', member_usernames: ['admin'] });
  expect((await groups({ code: 'none' }, true)).length).toBe(0);
  expect((await groups({}, false)).map((text) => JSON.parse(text).member_usernames.length)).not.toContain(1);
  expect(await groups({ modifiedSince: 4_000_000_000 }, true)).toEqual([]);
});

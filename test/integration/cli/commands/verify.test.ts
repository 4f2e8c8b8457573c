// A service beside a folder that was read from it: nothing is found where nothing differs, and every planted difference.
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { adminPassword } from '#test/support/api.ts';
import { fast, linesOf, serveArchive } from '../archive-of-all-kinds.ts';
import { filesForTests, runCli } from '../run-cli.ts';

const { api, records, made, series, run } = await serveArchive();
const files = filesForTests();
const folder = join(files.folder, 'archive');
const exported = await run(['export-all', folder, ...fast]);
if (exported.code !== 0) throw new Error(exported.stderr);

describe('verify', () => {
  it('finds nothing where nothing differs, against the folder and against the service', async () => {
    const against = await run(['verify', '--against', folder, '--json']);
    const verdict = JSON.parse(against.stdout);
    expect([against.code, verdict.same, verdict.shown]).toEqual([0, true, []]);
    const resources = verdict.lists.find(
      ({ list }: any) => list === `/repositories/${records.repoId}/archival_objects`,
    );
    expect(resources).toMatchObject({
      source: linesOf(folder, 'archival_objects').length,
      here: linesOf(folder, 'archival_objects').length,
      differing: 0,
    });
    const live = await runCli(['verify', '--against', api.url, ...fast, '--url', api.url], {
      env: { MUNIMENT_PASSWORD: adminPassword, MUNIMENT_SOURCE_PASSWORD: adminPassword },
    });
    expect([live.code, live.stdout]).toEqual([0, expect.stringContaining('Everything is the same.')]);
  });

  it('says at once that a report cannot be written, and by which option the password of a source is given', async () => {
    const report = join(files.folder, 'none', 'report.ndjson');
    const { code, stderr } = await run(['verify', '--against', folder, '--report', report]);
    expect([code, stderr.trim()]).toEqual([1, `${report} cannot be used: there is no such file or folder.`]);
    const paged = await run(['verify', '--against', folder, '--html', `${report}.html`]);
    expect([paged.code, paged.stderr.trim()]).toEqual([
      1,
      `${report}.html cannot be used: there is no such file or folder.`,
    ]);
    const unasked = await run(['verify', '--against', api.url]);
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('or give --source-password-file')]);
  });

  it('leaves an earlier report and page as they are where there is nothing to compare', async () => {
    const [report, page] = [files.put('earlier.ndjson', 'found before'), files.put('earlier.html', 'shown before')];
    const to = ['--report', report, '--html', page];
    const { code } = await run(['verify', '--against', join(files.folder, 'nowhere'), ...to]);
    expect([code, readFileSync(report, 'utf8'), readFileSync(page, 'utf8')]).toEqual([
      1,
      'found before',
      'shown before',
    ]);
    expect((await run(['verify', '--against', folder, ...to])).code).toBe(0);
    expect(readFileSync(report, 'utf8')).toMatch(/^\{"what":"verdict".*\}\n$/);
    expect(readFileSync(page, 'utf8')).toMatch(/^<!doctype html>/i);
  });

  it.runIf(existsSync('/dev/full'))('ends with words where the report can no longer be written', async () => {
    const copy = join(files.folder, 'differing');
    cpSync(folder, copy, { recursive: true });
    rmSync(join(copy, 'resources.ndjson'));
    const { code, stderr } = await run(['verify', '--against', copy, '--report', '/dev/full']);
    expect([code, stderr.trim().split('\n').at(-1)]).toEqual([
      1,
      expect.stringMatching(/^\/dev\/full cannot be written: ENOSPC/),
    ]);
  });

  it('finds every one of many planted differences, and none besides', async () => {
    const copy = join(files.folder, 'planted');
    cpSync(folder, copy, { recursive: true });
    const expected: string[] = [];
    const edit = (file: string, change: (list: any[]) => any[]): void =>
      writeFileSync(
        join(copy, `${file}.ndjson`),
        change(linesOf(copy, file))
          .map((line) => `${JSON.stringify(line)}\n`)
          .join(''),
      );
    const plant = (file: string, path: string, value: unknown, pick: (record: any) => boolean = () => true): void =>
      edit(file, (list) => {
        const record = list.find((candidate) => pick(candidate) && has(candidate, path));
        if (record === undefined) throw new Error(`nothing in ${file} has ${path}`);
        set(record, path, value);
        expected.push(`field ${record.uri} ${path}`);
        return list;
      });
    const mine = (record: any): boolean => made.includes(record.uri);
    plant('resources', 'title', 'Another title');
    plant('resources', 'publish', null, ({ publish }) => publish === true || publish === false);
    plant('resources', 'level', 'nothing');
    plant('resources', 'extents/0/number', '999');
    plant('resources', 'dates/0/begin', '1066');
    plant('resources', 'create_time', '1999-01-01T00:00:00Z');
    plant('resources', 'created_by', 'nobody');
    plant('resources', 'user_mtime', '1999-01-01T00:00:00Z');
    plant('resources', 'tree/ref', '/repositories/2/resources/9999/tree');
    plant('resources', 'external_ids', [{ external_id: 'x', source: 'y' }], () => true);
    plant('archival_objects', 'ref_id', 'planted');
    plant('archival_objects', 'parent/ref', made[0], ({ parent }) => parent !== undefined);
    plant('archival_objects', 'display_string', 'planted');
    plant('archival_objects', 'suppressed', true);
    plant('agents_people', 'names/0/primary_name', 'Planted', mine);
    plant('agents_people', 'names/0/is_display_name', false, mine);
    plant('agents_families', 'title', 'Planted', mine);
    plant('agents_corporate_entities', 'jsonmodel_type', 'agent_person', mine);
    plant('agents_software', 'names/0/software_name', 'Planted', mine);
    plant('subjects', 'terms/0/term', 'Planted');
    plant('subjects', 'terms/0/uri', '/terms/9999', ({ uri }) => uri !== linesOf(folder, 'subjects')[0].uri);
    plant('subjects', 'source', 'planted');
    plant('locations', 'building', 'Planted');
    plant('location_profiles', 'name', 'Planted');
    plant('container_profiles', 'depth', '99');
    plant('top_containers', 'indicator', 'planted');
    plant('accessions', 'accession_date', '1066-01-01');
    plant('accessions', 'id_0', 'planted');
    plant('digital_objects', 'digital_object_id', 'planted');
    plant('digital_object_components', 'title', 'planted');
    plant('classifications', 'identifier', 'planted');
    plant('classification_terms', 'title', 'planted');
    plant('events', 'event_type', 'planted', mine);
    plant('events', 'linked_records/0/ref', '/repositories/2/accessions/9999', mine);
    plant('assessments', 'records/0/ref', '/repositories/2/accessions/9999');
    plant('groups', 'description', 'planted');
    plant('groups', 'grants_permissions/0', 'planted');
    plant('users', 'name', 'planted', mine);
    plant('repositories', 'repo_code', 'planted', mine);
    plant('enumerations', 'enumeration_values/0/suppressed', true);
    plant('enumerations', 'enumeration_values/0/position', 99);
    plant('default_values', 'defaults/title', 'planted');
    plant('vocabularies', 'name', 'planted');
    plant('terms', 'term_type', 'planted');
    plant('custom_report_templates', 'name', 'planted');
    plant('rde_templates', 'name', 'planted');
    plant('oai_config', 'oai_admin_email', 'planted@example.org');
    plant('users', 'is_admin', true, ({ username }) => username !== 'admin');
    plant('users', 'permissions/_service/0', 'planted', ({ username }) => username === 'admin');
    plant('groups', 'member_usernames', ['planted'], ({ member_usernames: names }) => names.length === 0);
    plant('enumerations', 'enumeration_values/1/value', 'planted');
    plant('enumerations', 'default_value', 'planted', ({ default_value: value }) => typeof value === 'string');
    plant('top_containers', 'container_locations', [{ status: 'current', ref: '/locations/9999' }]);
    // One record altogether: each of its fields.
    edit('container_profiles', (list) => {
      const record = list.find(({ depth }) => depth !== '99');
      for (let count = 0; count < 30; count++) {
        record[`planted_${count}`] = count;
        expected.push(`field ${record.uri} planted_${count}`);
      }
      return list;
    });
    edit('deleted', (list) => {
      expected.push('deleted /subjects/99999');
      return [...list, { uri: '/subjects/99999', at: null }];
    });
    // A file of a kind that this service has not.
    writeFileSync(join(copy, 'seals.ndjson'), '{"uri":"/seals/1"}\n');
    const manifest = JSON.parse(readFileSync(join(copy, 'manifest.json'), 'utf8'));
    manifest.files.seals = { records: 1, complete: true };
    writeFileSync(join(copy, 'manifest.json'), JSON.stringify(manifest));
    expected.push('missing /seals/1');
    edit('locations', ([first, ...rest]) => {
      expected.push(`extra ${first.uri}`);
      // The one that was changed above is gone, and its change with it.
      expected.splice(expected.indexOf(`field ${first.uri} building`), 1);
      return rest;
    });
    edit('top_containers', (list) => {
      const uri = `/repositories/${records.repoId}/top_containers/99999`;
      expected.push(`missing ${uri}`);
      return [{ ...list[0], uri }, ...list];
    });
    edit('archival_objects', (list) => {
      const [one, other] = list.filter(({ parent }) => parent?.ref === series).slice(-2);
      [one.position, other.position] = [other.position, one.position];
      expected.push(`order ${series}`);
      return list;
    });
    // What may differ is not told as a difference.
    edit('digital_objects', (list) =>
      list.map((record) => ({ ...record, lock_version: 77, system_mtime: '1999-01-01T00:00:00Z' })),
    );
    // Lines in any order.
    edit('subjects', (list) => list.toReversed());
    const report = join(files.folder, 'report.ndjson');
    const { code, stdout } = await run(['verify', '--against', copy, '--report', report]);
    const told = readFileSync(report, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const found = told.slice(0, -1);
    expect(
      found.map(({ what, uri, path }) => `${what} ${uri}${path === undefined ? '' : ` ${path}`}`).toSorted(),
    ).toEqual(
      expected
        .map((line) =>
          line
            .replace(/ (external_ids|container_locations)$/, ' $1/0')
            .replace(/(grants_permissions|permissions\/_service)\/0$/, '$1'),
        )
        .toSorted(),
    );
    expect(expected.length).toBeGreaterThan(80);
    expect(told.at(-1)).toMatchObject({ what: 'verdict', same: false, samples: null });
    expect(Object.values<number>(told.at(-1).differences).reduce((sum, count) => sum + count)).toBe(expected.length);
    expect(code).toBe(1);
    expect(stdout).toContain(`${expected.length} differences.`);
    expect(stdout).toContain('lock_version counts the saves of each service');
    rmSync(copy, { recursive: true });
  });
});

function has(record: any, path: string): boolean {
  return path === 'external_ids' || path.split('/').reduce((value, name) => value?.[name], record) !== undefined;
}

function set(record: any, path: string, value: unknown): void {
  const names = path.split('/');
  const last = names.pop() ?? '';
  names.reduce((inner, name) => inner[name], record)[last] = value;
}

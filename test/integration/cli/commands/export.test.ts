// A record as a document, on standard output or in a file.
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentPerson } from '#domain/kinds/agent_person.ts';
import type { TestApi } from '#test/support/api.ts';
import { adminPassword, startTestApi } from '#test/support/api.ts';
import { findingAid } from '../archive.ts';
import type { Run } from '../run-cli.ts';
import { filesForTests, runCli } from '../run-cli.ts';

let api: TestApi;
let root: string;
const files = filesForTests();
const run = (...args: readonly string[]): Promise<Run> =>
  runCli(args, { cwd: files.folder, env: { MUNIMENT_URL: api.url, MUNIMENT_PASSWORD: adminPassword } });
beforeAll(async () => {
  api = await startTestApi({ worker: 'jobs' });
  await api.repository('MSS');
  const made = await run('import', files.put('aid.xml', findingAid('MS.1')), '--repository', 'MSS', '--json');
  [
    {
      roots: [root],
    },
  ] = JSON.parse(made.stdout).files;
});
afterAll(() => api[Symbol.asyncDispose]());

describe('export', () => {
  it('writes a document to standard output, or to a file that appears when it is whole', async () => {
    const ead = await run('export', root, '--format', 'ead', '--unpublished');
    expect(ead).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Letter to the harbour master') });
    const three = await run(
      'export',
      root,
      '--format',
      'EAD3',
      '-o',
      'three.xml',
      '--option',
      'numbered_cs=true',
      '--json',
    );
    const text = readFileSync(join(files.folder, 'three.xml'), 'utf8');
    expect(text).toContain('http://ead3.archivists.org/schema/');
    expect(JSON.parse(three.stdout)).toMatchObject({ uri: root, format: 'EAD3', bytes: Buffer.byteLength(text) });
    const pdf = await run('export', root, '--format', 'pdf', '-o', 'aid.pdf');
    expect(pdf).toMatchObject({ code: 0, stdout: expect.stringMatching(/aid\.pdf: [\d.]+ kB\n$/) });
    expect(readFileSync(join(files.folder, 'aid.pdf'), 'latin1')).toMatch(/^%PDF-[\s\S]*%%EOF\s*$/);
    expect(readdirSync(files.folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('writes into what is no file, and through a link, and replaces neither', async () => {
    const at = (name: string): string => join(files.folder, name);
    for (const name of ['target.xml', 'link.xml', 'pipe']) rmSync(at(name), { force: true });
    writeFileSync(at('target.xml'), '');
    symlinkSync('target.xml', at('link.xml'));
    execFileSync('mkfifo', [at('pipe')]);
    const read = readFile(at('pipe'), 'utf8');
    expect((await run('export', root, '--format', 'ead', '-o', 'link.xml')).code).toBe(0);
    expect((await run('export', root, '--format', 'ead', '-o', 'pipe')).code).toBe(0);
    expect([lstatSync(at('link.xml')).isSymbolicLink(), lstatSync(at('pipe')).isFIFO()]).toEqual([true, true]);
    // Two exports, and each says the second in which it was made.
    const undated = (text: string): string => text.replace(/<date>[^<]* UTC<\/date>/, '');
    expect(undated(await read)).toBe(undated(readFileSync(at('target.xml'), 'utf8')));
    expect(await read).toContain('</ead>');
  });

  it('names the keeper of an agent that is of no repository', async () => {
    const agent = await api.create('/agents/people', { ...agentPerson.example });
    expect(await run('export', agent, '--format', 'eac-cpf')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--repository'),
    });
    const eac = await run('export', agent, '--format', 'eac-cpf', '--repository', 'mss');
    expect(eac).toMatchObject({ code: 0, stdout: expect.stringContaining('<eac-cpf') });
  });

  it.each([
    [
      'a format that the record has not',
      ['--format', 'mods'],
      2,
      'there is container-labels, ead, ead3, html, marcxml, pdf, record-lines',
    ],
    [
      'a parameter that the document has not',
      ['--format', 'marcxml', '--option', 'ead3=true'],
      2,
      'include_unpublished_marc=…',
    ],
    ['--json without a file', ['--format', 'ead', '--json'], 2, '-o'],
  ])('refuses %s', async (_what, args, code, says) => {
    const refused = await run('export', root, ...args);
    expect([refused.code, refused.stderr]).toEqual([code, expect.stringContaining(says)]);
  });

  it('takes neither the page of a proxy nor the job that goes on with it for the document', async () => {
    const server = createServer((request, reply) => {
      if (request.url?.includes('.pdf') === true)
        reply.writeHead(202, { 'content-type': 'application/json', location: '/repositories/2/jobs/7' }).end('{}');
      else reply.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<html>Log in</html>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const from = (format: string) =>
      run('export', root, '--format', format, '-o', 'held', '--url', `http://127.0.0.1:${port}`, '--session', 'x');
    try {
      expect(await from('ead')).toMatchObject({ code: 1, stderr: expect.stringContaining('a page and no document') });
      expect(await from('pdf')).toMatchObject({ code: 1, stderr: expect.stringContaining('/repositories/2/jobs/7') });
      expect(existsSync(join(files.folder, 'held'))).toBe(false);
      expect((await from('html')).code).toBe(0);
    } finally {
      server.close();
    }
  });

  it('writes whole documents where several go to one file at once, and leaves the files beside it', async () => {
    files.put('same.xml.part', 'mine');
    const runs = await Promise.all(
      Array.from({ length: 6 }, () => run('export', root, '--format', 'ead', '-o', 'same.xml')),
    );
    expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(runs.map(() => [0, '']));
    expect(readFileSync(join(files.folder, 'same.xml'), 'utf8')).toMatch(/<\/ead>\s*$/);
    expect(readFileSync(join(files.folder, 'same.xml.part'), 'utf8')).toBe('mine');
    expect(readdirSync(files.folder).filter((name) => name.endsWith('.part'))).toEqual(['same.xml.part']);
    rmSync(join(files.folder, 'same.xml.part'));
  });

  it('leaves no file where there is no such record', async () => {
    const refused = await run('export', root.replace(/\d+$/, '999'), '--format', 'ead', '-o', 'none.xml');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('404') });
    expect(existsSync(join(files.folder, 'none.xml'))).toBe(false);
  });
});

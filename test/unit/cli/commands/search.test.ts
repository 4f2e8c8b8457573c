// What a search asks, and all that is told of its reply.
import { describe, expect, it } from 'vitest';
import { Answer, answering } from '../answering.ts';

const repositories = [
  { uri: '/repositories/2', repo_code: 'MSS', name: 'Manuscripts' },
  { uri: '/repositories/3', repo_code: 'MAPS', name: 'Maps' },
];
const first = 'GET /search?q=harbour plans&page=1&page_size=20';

describe('a search', () => {
  it('asks everywhere for all words, the first twenty, and nothing that was not wanted', async () => {
    const results = [
      { uri: '/repositories/2/resources/1', primary_type: 'resource', title: 'Plans of <emph>the</emph> harbour' },
      { uri: '/agents/people/3', primary_type: 'agent_person', title: 'Sorted', display_string: 'Ellen Harbour' },
      { id: 'orphan', full_title: 'Of an earlier index' },
      {},
    ];
    const reply = { total_hits: 1234, last_page: 62, this_page: 1, results };
    const run = await answering({ [first]: reply }, ['search', 'harbour', 'plans']);
    expect(run).toEqual({
      code: 0,
      stdout: [
        'URI                          TYPE          TITLE',
        '/repositories/2/resources/1  resource      Plans of the harbour',
        '/agents/people/3             agent_person  Ellen Harbour',
        'orphan                                     Of an earlier index',
        '',
        '1,234 found; page 1 of 62',
        '',
      ].join('\n'),
      stderr: '',
      asked: [first],
    });
    const json = await answering({ [first]: reply }, ['search', 'harbour', 'plans', '--json']);
    expect([json.stderr, JSON.parse(json.stdout)]).toEqual(['', reply]);
  });

  it('asks in one repository with all that it was told', async () => {
    const told = '--page 3 --page-size 999 --sort'.split(' ');
    const run = await answering({ 'GET /repositories': repositories }, [
      ...['search', 'x', '--repository', 'maps', '--type', 'resource', 'agent', ...told, 'title_sort asc'],
      ...['--stem', 'en', '--relax', '--did-you-mean'],
    ]);
    expect(run.asked).toEqual([
      'GET /repositories',
      'GET /repositories/3/search?q=x&page=3&page_size=250&type[]=resource&type[]=agent&sort=title_sort asc&stem=en&relax=true&did_you_mean=true',
    ]);
  });

  it('says of what was found one by one how much it is', async () => {
    const found = async (reply: { readonly [name: string]: number | object }): Promise<string> =>
      (await answering({ [first]: { results: [], ...reply } }, ['search', 'harbour', 'plans'])).stdout;
    const heading = 'URI  TYPE  TITLE\n';
    expect(await found({ total_hits: 0, last_page: 1 })).toBe(`${heading}Nothing was found.\n`);
    expect(await found({})).toBe(`${heading}Nothing was found.\n`);
    expect(await found({ total_hits: 1, last_page: 1, this_page: 1 })).toBe(`${heading}1 found\n`);
    expect(await found({ total_hits: 21, last_page: 2, this_page: 2 })).toBe(`${heading}21 found; page 2 of 2\n`);
    const warnings = [{ code: 'total_is_least', message: 'Not all were counted' }];
    expect(await found({ total_hits: 2000, last_page: 100, this_page: 1, warnings })).toBe(
      `${heading}At least 2,000 found; page 1 of 100\n`,
    );
  });

  it('says beside it what the reply says of itself', async () => {
    const reply = {
      total_hits: 1,
      results: [],
      warnings: [{ message: 'a quote is never closed', column: 7 }, { message: 'Not whole' }],
      relaxed: { with_all: 1200, at_least: 2, not_found: ['zyzzyva', 'quux'], spelt: { harbr: ['harbour', 'harbor'] } },
      found_without: [{ word: 'plans', total_hits: 4000 }],
      did_you_mean: [{ query: 'harbour plans', total_hits: 12 }, { total_hits: 3 }],
    };
    const { stderr } = await answering({ [first]: reply }, ['search', 'harbour', 'plans']);
    expect(stderr.split('\n')).toEqual([
      'a quote is never closed (column 7)',
      'Not whole',
      '1,200 with all words, the others with 2 or more of them',
      'Nothing has zyzzyva, quux',
      'harbr was taken for harbour, harbor',
      '4,000 found without plans',
      'Did you mean: harbour plans (12 found)',
      '',
    ]);
    const bare = await answering({ [first]: { results: [], relaxed: {} } }, ['search', 'harbour', 'plans']);
    expect(bare.stderr).toBe('0 with all words, the others with  or more of them\n');
  });

  it('is asked again with --wait until one is found, and once without', async () => {
    const answers = { [first]: [0, 1, 2].map((hits) => new Answer(200, { total_hits: hits, results: [] })) };
    const waited = await answering(answers, ['search', 'harbour', 'plans', '--wait']);
    expect([waited.asked, waited.stdout]).toEqual([[first, first], 'URI  TYPE  TITLE\n1 found\n']);
    expect((await answering(answers, ['search', 'harbour', 'plans'])).asked).toEqual([first]);
  });

  it('of those who may not search everywhere says what to name; in a repository they are refused as ever', async () => {
    const no = new Answer(403, { error: 'Access denied' });
    const everywhere = { code: 1, stdout: '', asked: [first] };
    expect(await answering({ [first]: no }, ['search', 'harbour', 'plans'])).toEqual({
      ...everywhere,
      stderr: 'admin may not search in all repositories at once (403): name one with --repository.\n',
    });
    const there = 'GET /repositories/2/search?q=x&page=1&page_size=20';
    const refused = await answering({ 'GET /repositories': repositories, [there]: no }, [
      ...['search', 'x', '--repository', '2'],
    ]);
    expect(refused).toMatchObject({ code: 1, stderr: 'admin may not do this (403 Access denied).\n' });
    const wrong = await answering({ [first]: new Answer(400, { error: { page: ['Too large'] } }) }, [
      ...['search', 'harbour', 'plans', '--json'],
    ]);
    expect([wrong.code, JSON.parse(wrong.stdout)]).toEqual([
      1,
      { error: 'The service refused this (400):\n  page: Too large', status: 400, details: { page: ['Too large'] } },
    ]);
  });
});

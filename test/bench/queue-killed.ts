// 20,000 jobs of 200 mailboxes, four worker processes of which one is killed every few seconds, two failures in a hundred: what went wrong, which
// should be nothing. The test of the suite is the same, smaller (test/fault/mailboxes-killed.test.ts).
import { killWhileMailboxesRun } from '../support/mailboxes-killed.ts';
import { prepareTemplate } from '../support/template.ts';
import { connect } from '../support/worker.ts';
import { makeTraceTable } from '../support/worker-jobs.ts';
import type { BenchRow } from './bench.ts';
import { onOwnServer, rounded } from './bench.ts';

const jobs = Number(process.env['BENCH_QUEUED'] ?? 20_000);
const mailboxes = Number(process.env['BENCH_MAILBOXES'] ?? 200);

/** Runs on a PostgreSQL of its own with its usual durability, made and removed here. Takes some minutes. */
export async function run(): Promise<readonly BenchRow[]> {
  return onOwnServer(async ({ url }) => {
    await prepareTemplate(url);
    await using connected = connect(url);
    await makeTraceTable(connected.database);
    const outcome = await killWhileMailboxesRun(connected, { jobs, mailboxes, workers: 4, killEveryMs: 4000 });
    const fault = (name: string, value: number): BenchRow => ({ name, value, unit: '', target: 0, pass: value === 0 });
    return [
      { name: `jobs of ${mailboxes} mailboxes, four processes of four places, 2% failures`, value: jobs, unit: 'jobs' },
      { name: 'workers killed meanwhile', value: outcome.kills, unit: 'workers', target: 1, pass: outcome.kills > 0 },
      { name: 'time', value: rounded(outcome.seconds), unit: 's' },
      fault('begun out of order, or together with another of the mailbox', outcome.outOfOrder),
      fault('lost', outcome.lost),
      fault('done twice, or done though it failed', outcome.twice),
      fault('ended otherwise than planned', outcome.wrongEnds),
      fault(
        `times of ${outcome.samples} that unfinished activations were not as many as unfinished jobs`,
        outcome.unequalSamples,
      ),
      fault('activations left at the end', outcome.leftActivations),
    ];
  });
}

if (import.meta.main) console.table(await run());

// /metrics of the whole service: what waits for workers and the index is among the numbers.
import { expect, it } from 'vitest';
import { expectKept } from '#test/support/kept.ts';
import { startTestApi } from '../../../support/api.ts';

it('tells how many jobs wait and how far the index is behind', async () => {
  await using api = await startTestApi({ worker: false });
  const repoId = await api.repository();
  await api.database.write({
    sql: `INSERT INTO job (visible, type, mailbox, is_long, payload, status, time_finished) VALUES (false, 'move-nodes', 'm', false, '{}', 'queued', NULL),
      (false, 'report', 'm', false, '{}', 'failed', now()), (false, 'report', 'm', false, '{}', 'failed', now() - interval '2 hours')`,
    values: [],
  });
  const { status, text } = await api.ask('/metrics');
  expect([status, repoId > 1]).toEqual([200, true]);
  expect(text).toMatch(/^muniment_jobs_queued 1$/m);
  expect(text).toMatch(/^muniment_jobs_running 0$/m);
  expect(text.match(/^muniment_jobs\{.*$/gm)).toEqual([
    'muniment_jobs{type="move-nodes",state="queued"} 1',
    'muniment_jobs{type="report",state="failed"} 1',
  ]);
  expect(text).toMatch(/^muniment_queue\{queue="mailboxes",state="ready"\} \d+$/m);
  expect(text).toMatch(/^muniment_index_lag_seconds \d/m);
  // Dashboards and alerts name them; of what is not known there is no line.
  const told = text.match(/^# (?:HELP|TYPE) .*$/gm) ?? [];
  await expectKept(`${told.toSorted().join('\n')}\n`, 'metrics.txt');
  expect(text).toMatch(
    /^muniment_request_duration_seconds_count\{method="POST",route="\/repositories",status="200"\} 1$/m,
  );
});

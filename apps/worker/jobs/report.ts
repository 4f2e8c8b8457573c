// Handler of reports: one statement, read with a cursor, written in a thread and into the output file as it comes.
import { fail } from '#domain/errors.ts';
import { report } from '#domain/jobs/report.ts';
import { textOf } from '#domain/json.ts';
import { parseReportChoice, saysYes } from '#domain/reports/choice.ts';
import { formatOf, reportOf } from '#domain/reports/reports.ts';
import { reportFiles, rowSeparator } from '#domain/reports/write.ts';
import { can } from '#domain/access/caller.ts';
import { appendAudit } from '#store/access/audit.ts';
import { writeBlob } from '#store/files/blobs.ts';
import { chooseReport } from '#store/reports/choose.ts';
import { readRepositoryName, withReportRows } from '#store/reports/stream.ts';
import { defineHandler } from '../handler.ts';
import { demandOfOwner } from '../running/owner.ts';
import { throughThread } from '../formats/through-thread.ts';
import { tellMissing } from '../printing/missing.ts';

const pieceCharacters = 65_536;

/** Makes the report; the value tells how many rows it has. */
export const handler = defineHandler(report, async ({ repoId, job, params }, context) => {
  const { database, signal } = context;
  const code = textOf(job, 'report_type') ?? '';
  const declared = reportOf(code, context.options.customReports);
  if (declared === undefined) throw fail('bad_parameter', { report_type: [`There is no report ${code}`] });
  if (declared.needs !== undefined) demandOfOwner(context, repoId, declared.needs);
  const choice = parseReportChoice(declared, params);
  const viewer = { repoId, seesSuppressed: can(context.caller, 'view_suppressed', repoId) };
  const { statement, title, needs, leftOut } = await chooseReport(database.reader, code, choice, viewer);
  demandOfOwner(context, repoId, ...needs);
  for (const line of leftOut) context.log(`Left out: ${line}`);
  const format = formatOf(textOf(job, 'format') ?? 'pdf');
  const info = {
    repository: await readRepositoryName(database, repoId),
    ...(choice.from === null && choice.to === null
      ? {}
      : { scoped_by_date_range: `${choice.from ?? ''} - ${choice.to ?? ''}` }),
  };
  let count = 0;
  const blob = await withReportRows(database, statement, async (found) => {
    async function* pieces(): AsyncGenerator<Uint8Array> {
      let waiting: string[] = [];
      let size = 0;
      for await (const row of found) {
        signal.throwIfAborted();
        count += 1;
        if (count % 1000 === 0) context.progress({ label: 'Writing', done: count, total: null });
        waiting.push(row);
        size += row.length;
        if (size < pieceCharacters) continue;
        yield Buffer.from(waiting.join(rowSeparator));
        [waiting, size] = [[], 0];
      }
      if (size > 0) yield Buffer.from(waiting.join(rowSeparator));
    }
    const about = {
      format,
      title: title ?? declared.title,
      info,
      columns: statement.columns,
      showsJson: saysYes(params['csv_show_json']),
    };
    const rows = await begun(pieces());
    async function* bytes(): AsyncGenerator<Uint8Array> {
      const { missing } = yield* throughThread(rows, (port) =>
        context.threads.run('writeReportFile', { port, about }, { signal, transfer: [port] }),
      );
      for (const line of tellMissing(missing)) context.log(line);
    }
    return writeBlob(database, bytes(), { fileName: `${code}.${format}`, mediaType: reportFiles[format].mediaType });
  });
  context.log(`${code}: ${count} rows as ${format}`);
  return context.transaction(async (tx) => {
    await context.addOutputFile(tx, blob.id, viewer);
    if (needs.includes('view_agent_contact_record')) {
      const by = { actor: context.caller.username, address: null, requestId: null };
      const subject = `/repositories/${repoId}/jobs/${context.jobId}`;
      await appendAudit(tx, by, { event: 'contacts_exported', subject, details: { report: code, rows: count } });
    }
    // Who reads the file later is asked for what its owner was (needsOfFile).
    const result = { rows: count, format, ...(code === 'custom_report' ? { needs } : {}) };
    await context.complete(tx, result);
    return result;
  });
});

/** The same pieces, the first of which is there: a statement may think for minutes, and no thread should wait with it. */
async function begun(pieces: AsyncGenerator<Uint8Array>): Promise<AsyncGenerator<Uint8Array>> {
  const first = await pieces.next();
  return (async function* () {
    if (first.done === true) return;
    yield first.value;
    yield* pieces;
  })();
}

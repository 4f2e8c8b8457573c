// Handler of the date calculator for what has many components: one statement, and a thread that reads the dates.
import { seesSuppressed } from '#domain/access/suppression.ts';
import { datesReply } from '#domain/calculators/calculated.ts';
import { calculateDates } from '#domain/jobs/calculate-dates.ts';
import { readDates, requireCalculated } from '#store/calculators/read.ts';
import { defineHandler } from '../handler.ts';

/** Calculates; the value is the reply of the date calculator. */
export const handler = defineHandler(
  calculateDates,
  async ({ label, withOwn, wantsSuppressed, ...address }, context) => {
    const { database, threads, signal, caller } = context;
    const record = await requireCalculated(database.reader, {
      ...address,
      seesSuppressed: seesSuppressed(caller, address.repoId, wantsSuppressed),
    });
    const dates = await readDates(database.reader, record, label, withOwn);
    const reply = datesReply(record, label, await threads.run('dateSpanOf', dates, { signal }));
    return context.transaction(async (tx) => {
      await context.complete(tx, reply);
      return reply;
    });
  },
);

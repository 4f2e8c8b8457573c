// From what a job asks to the statement of its report: looks up what the parameters name.
import { fail } from '#domain/errors.ts';
import { textOf } from '#domain/json.ts';
import type { JsonObject } from '#domain/json.ts';
import type { ReportChoice } from '#domain/reports/choice.ts';
import { readCustomChoice } from '#domain/reports/custom.ts';
import { customNeeds } from '#domain/reports/reports.ts';
import type { Reader } from '../connection/database.ts';
import { BodyRow, IdRow } from '../connection/columns.ts';
import { sql } from '../connection/sql.ts';
import { customStatement, readCustomCatalogue } from './custom.ts';
import type { ReportStatement } from './definition.ts';
import { statementOf } from './definition.ts';
import { holdingsOf } from './holdings.ts';
import { ratingReport } from './ratings.ts';
import { plainReport } from './statements.ts';

/** For whom: of which repository, and whether suppressed records are shown. */
export type ReportScope = { readonly repoId: number; readonly seesSuppressed: boolean };

/** A report ready to run. `title`: of a custom report, that of its template. `needs`: permissions that its owner must hold besides. */
export type ChosenReport = {
  readonly statement: ReportStatement;
  readonly title?: string;
  readonly needs: readonly string[];
  readonly leftOut: readonly string[];
};

/** The statement of a report with its parameters. Fails with `bad_parameter` where they name what is not there. */
export async function chooseReport(
  reader: Reader,
  code: string,
  choice: ReportChoice,
  { repoId, seesSuppressed }: ReportScope,
): Promise<ChosenReport> {
  const first = [repoId, seesSuppressed, choice.from, choice.to];
  const plain = { needs: [], leftOut: [] };
  if (code === 'assessment_rating_report') {
    if (choice.rating !== null) await demandRating(reader, choice.rating, repoId);
    return { statement: statementOf(ratingReport, [...first, choice.rating, choice.ratingValues]), ...plain };
  }
  if (code === 'location_holdings_report') {
    const { definition, values } = await holdingsOf(reader, choice.locations);
    return { statement: statementOf(definition, [...first, ...values]), ...plain };
  }
  if (code === 'custom_report') return customReport(reader, choice.template, first, repoId);
  const definition = plainReport(code);
  if (definition === undefined) throw fail('bad_parameter', { report_type: [`There is no report ${code}`] });
  return { statement: statementOf(definition, first), ...plain };
}

async function demandRating(reader: Reader, id: number, repoId: number): Promise<void> {
  const found = await reader.maybeOne(
    sql.type(IdRow)`
      SELECT id FROM assessment_attribute_definition WHERE id = ${id} AND type = 'rating' AND (repo_id IS NULL OR repo_id = ${repoId})`,
  );
  if (found === null) throw fail('bad_parameter', { rating: [`There is no rating ${id}`] });
}

async function customReport(
  reader: Reader,
  template: number | null,
  first: readonly unknown[],
  repoId: number,
): Promise<ChosenReport> {
  const row = await reader.maybeOne(sql.type(BodyRow)`
    SELECT body FROM record WHERE kind = 'custom_report_template' AND id = ${template ?? 0} AND repo_id = ${repoId}`);
  if (row === null) throw fail('bad_parameter', { template: [`There is no template ${template ?? ''}`] });
  const body: JsonObject = JSON.parse(row.body);
  const limit = typeof body['limit'] === 'number' ? body['limit'] : 100;
  const choice = readCustomChoice(textOf(body, 'data') ?? '', limit, readCustomCatalogue());
  const needs = [choice.recordType, ...choice.parts.map((part) => part.name)].flatMap(
    (name) => customNeeds[name] ?? [],
  );
  return {
    statement: customStatement(choice, first),
    title: textOf(body, 'name') ?? '',
    needs,
    leftOut: choice.leftOut,
  };
}

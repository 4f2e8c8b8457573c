// Handler of linking archival objects to top containers by a spreadsheet (contract trees-and-jobs 6.8): every fault of every row is told with
// row and column, and then nothing is written. A link that is there already is not made again.
import { parseUri, uriOf } from '#domain/addresses.ts';
import { Failure } from '#domain/errors.ts';
import { linkContainers } from '#domain/jobs/link-containers.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { isOnlyValidated } from '#domain/job-parameters.ts';
import { textOf } from '#domain/json.ts';
import { resource } from '#domain/kinds/resource.ts';
import { topContainer } from '#domain/kinds/top_container.ts';
import type { Prepared } from '#domain/checking/prepare.ts';
import { prepare } from '#domain/checking/prepare.ts';
import type { CodedSheet } from '#domain/spreadsheets/coded-sheet.ts';
import type { ContainerLink, NewContainer } from '#domain/spreadsheets/container-links.ts';
import { planLinks, wantedOf } from '#domain/spreadsheets/container-links.ts';
import { controlledBy } from '#domain/spreadsheets/controlled.ts';
import { recordFaults } from '#domain/spreadsheets/record-faults.ts';
import { topContainerCodes } from '#domain/templates/creation-templates.ts';
import type { SheetFault } from '#domain/spreadsheets/rows.ts';
import type { Transaction } from '#store/connection/database.ts';
import { EnumerationCache } from '#store/enumerations/lists.ts';
import { readRecord } from '#store/records/reading/read.ts';
import { createMany } from '#store/records/writing/write-many.ts';
import { readLinkerFacts } from '#store/spreadsheets/linker-facts.ts';
import { addInstances } from '../job-steps/add-instances.ts';
import type { JobContext } from '../handler.ts';
import { defineHandler } from '../handler.ts';
import { readLabels } from '../formats/labels.ts';
import { demandOfOwner } from '../running/owner.ts';
import { readSheetFile, resourceIdOf, tellSheetFaults, tellUnknownColumns } from '../job-steps/spreadsheet-file.ts';

type Work = {
  readonly tx: Transaction;
  readonly context: JobContext;
  readonly repoId: number;
  readonly actor: string | null;
  readonly enumerations: EnumerationCache;
};

/** Links; the value tells how many links and containers were made. */
export const handler = defineHandler(linkContainers, async ({ repoId, actor, job, params }, context) => {
  const resourceId = resourceIdOf(params, job, repoId);
  const sheet = await readSheetFile(textOf(job, 'content_type') ?? '', context);
  tellUnknownColumns(
    sheet.codes.filter((code) => !topContainerCodes.has(code)),
    context,
  );
  tellSheetFaults(sheet.faults, sheet.name, context);
  const enumerations = await EnumerationCache.load(context.database.reader);
  const onlyValidates = isOnlyValidated(job);
  return context.transaction(
    async (tx) => {
      const value = await linkAll(sheet, resourceId, onlyValidates, { tx, context, repoId, actor, enumerations });
      await context.complete(tx, value);
      return value;
    },
    { statementTimeoutMs: linkContainers.timeoutSeconds * 1000 },
  );
});

async function linkAll(
  { name, rows }: CodedSheet,
  resourceId: number,
  onlyValidates: boolean,
  work: Work,
): Promise<Json> {
  const { tx, context, repoId, actor } = work;
  const found: JsonObject = JSON.parse(
    (await readRecord(tx, resource, resourceId, repoId, { seesSuppressed: false })).text,
  );
  const facts = await readLinkerFacts(
    tx,
    repoId,
    { id: resourceId, eadId: textOf(found, 'ead_id') ?? null },
    wantedOf(rows),
  );
  const plan = planLinks(
    rows,
    facts,
    controlledBy(work.enumerations, readLabels()),
    new Date().toISOString().slice(0, 10),
  );
  for (const note of plan.notes) context.log(note);
  const checked = checkContainers(plan.containers, work);
  tellSheetFaults([...plan.faults, ...checked.faults], name, context);
  if (plan.containers.length > 0) demandOfOwner(context, repoId, 'update_container_record');
  if (onlyValidates) {
    context.log(`Only validated: ${plan.links.length} row(s) can be linked; nothing is stored.`);
    return { linked: plan.links.length, top_containers: plan.containers.length, only_validate: true };
  }
  const made = await createMany(tx, topContainer, checked.prepared, {
    actor,
    repoId,
    generatedValues: context.generatedValues,
  });
  const uris = new Map(plan.containers.map(({ key }, index) => [key, made[index] ?? '']));
  const uriFor = ({ container }: ContainerLink): string =>
    typeof container === 'number' ? uriOf(topContainer, container, repoId) : (uris.get(container) ?? '');
  const wanted = plan.links.map((link) => {
    const uri = uriFor(link);
    return {
      row: link.row,
      componentId: link.componentId,
      uri,
      instance: { instance_type: link.instanceType, sub_container: { ...link.child, top_container: { ref: uri } } },
    };
  });
  const linked = await addInstances(tx, wanted, {
    repoId,
    actor,
    generatedValues: context.generatedValues,
    enumerations: work.enumerations,
  });
  await context.createdRecords(tx, made);
  await context.changedRecords(tx, linked.uris);
  for (const uri of made) context.log(`Created: ${uri}`);
  for (const uri of linked.uris) context.log(`Linked: ${uri}`);
  return { linked: linked.links, top_containers: made.length };
}

/** The new containers checked as a client's would be. */
function checkContainers(
  containers: readonly NewContainer[],
  { context, enumerations }: Work,
): { readonly prepared: readonly Prepared[]; readonly faults: readonly SheetFault[] } {
  const faults: SheetFault[] = [];
  const prepared = containers.flatMap(({ body, row }) => {
    try {
      return [
        prepare(topContainer, body, {
          operation: 'create',
          enumerations,
          generatedValues: context.generatedValues,
          parseUri,
          acceptTemporary: false,
          createEnumerationValues: false,
        }),
      ];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      faults.push(...recordFaults(error, row, (path) => `top_container_${path}`));
      return [];
    }
  });
  return { prepared, faults };
}

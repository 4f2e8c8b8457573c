// Handler of linking archival objects to top containers by a spreadsheet (contract trees-and-jobs 6.8): every fault of every row is told with
// row and column, and then nothing is written. A link that is there already is not made again.
import { parseUri, uriOf } from '#domain/addresses.ts';
import { Failure, fail } from '#domain/errors.ts';
import { linkContainers } from '#domain/jobs/link-containers.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { isObject, objectOf, objectsOf, textOf } from '#domain/json.ts';
import { archivalObject } from '#domain/kinds/archival_object.ts';
import { resource } from '#domain/kinds/resource.ts';
import { topContainer } from '#domain/kinds/top_container.ts';
import type { Prepared } from '#domain/rules/prepare.ts';
import { prepare, prepareBody } from '#domain/rules/prepare.ts';
import type { LinkRow } from '#domain/rules/split.ts';
import type { CodedRow } from '#domain/spreadsheets/coded-sheet.ts';
import type { Controlled, ContainerLink, NewContainer } from '#domain/spreadsheets/container-links.ts';
import { planLinks, wantedOf } from '#domain/spreadsheets/container-links.ts';
import type { SheetFault } from '#domain/spreadsheets/rows.ts';
import { Instance } from '#domain/subrecords/instance.ts';
import type { Transaction } from '#store/database.ts';
import { EnumerationCache } from '#store/enumerations.ts';
import { appendLinks } from '#store/records/append-links.ts';
import { readRecord } from '#store/records/read.ts';
import { lockStored, reviseMany } from '#store/records/revise.ts';
import { createMany } from '#store/records/write-many.ts';
import { readLinkerFacts } from '#store/spreadsheets/linker-facts.ts';
import type { JobContext } from '../context.ts';
import { defineHandler } from '../context.ts';
import { readLabels } from '../formats/labels.ts';
import { demandOfOwner } from '../owner.ts';
import { readSheetFile, resourceIdOf, tellSheetFaults } from '../spreadsheet-file.ts';

type Work = { readonly tx: Transaction; readonly context: JobContext; readonly repoId: number; readonly actor: string | null; readonly enumerations: EnumerationCache };

const type = 'top_container_linker_job';
const containerRef = 'instances.sub_container.top_container';

/** Links; the value tells how many links and containers were made. */
export const handler = defineHandler(linkContainers, async ({ repoId, actor, job, params }, context) => {
  demandOfOwner(context, type, repoId, ['view_repository', 'update_resource_record']);
  const resourceId = resourceIdOf(params, job, repoId);
  const { rows, faults } = await readSheetFile(textOf(job, 'content_type') ?? '', context);
  tellSheetFaults(faults, context);
  const enumerations = await EnumerationCache.load(context.database.reader);
  const onlyValidates = ['1', 'true'].includes(textOf(job, 'only_validate') ?? '');
  return context.transaction(async (tx) => {
    const value = await linkAll(rows, resourceId, onlyValidates, { tx, context, repoId, actor, enumerations });
    await context.complete(tx, value);
    return value;
  }, { statementTimeoutMs: linkContainers.timeoutSeconds * 1000 });
});

async function linkAll(rows: readonly CodedRow[], resourceId: number, onlyValidates: boolean, work: Work): Promise<Json> {
  const { tx, context, repoId, actor } = work;
  const found: JsonObject = JSON.parse((await readRecord(tx, resource, resourceId, repoId, { seesSuppressed: false })).text);
  const facts = await readLinkerFacts(tx, repoId, { id: resourceId, eadId: textOf(found, 'ead_id') ?? null }, wantedOf(rows));
  const plan = planLinks(rows, facts, controlledBy(work.enumerations), new Date().toISOString().slice(0, 10));
  for (const note of plan.notes) context.log(note);
  const checked = checkContainers(plan.containers, work);
  tellSheetFaults([...plan.faults, ...checked.faults], context);
  if (plan.containers.length > 0) demandOfOwner(context, type, repoId, ['update_container_record']);
  if (onlyValidates) {
    context.log(`Only validated: ${plan.links.length} row(s) can be linked; nothing is stored.`);
    return { linked: plan.links.length, top_containers: plan.containers.length, only_validate: true };
  }
  const made = await createMany(tx, topContainer, checked.prepared, { actor, repoId, making: context.making });
  const uris = new Map(plan.containers.map(({ key }, index) => [key, made[index] ?? '']));
  const uriFor = ({ container }: ContainerLink): string => (typeof container === 'number' ? uriOf(topContainer, container, repoId) : uris.get(container) ?? '');
  const linked = await addInstances(plan.links, uriFor, work);
  await context.createdRecords(tx, made);
  await context.changedRecords(tx, linked.uris);
  for (const uri of made) context.log(`Created: ${uri}`);
  for (const uri of linked.uris) context.log(`Linked: ${uri}`);
  return { linked: linked.links, top_containers: made.length };
}

/** A controlled value by itself or by its label, in any case of letters. */
function controlledBy(enumerations: EnumerationCache): Controlled {
  const labels = readLabels();
  return (list, text) => [text, text.toLowerCase(), labels[list]?.[text.toLowerCase()]].find((value) => value !== undefined && enumerations.get(list)?.has(value) === true);
}

/** The new containers checked as a client's would be. */
function checkContainers(containers: readonly NewContainer[], { context, enumerations }: Work): { readonly prepared: readonly Prepared[]; readonly faults: readonly SheetFault[] } {
  const faults: SheetFault[] = [];
  const prepared = containers.flatMap(({ body, row }) => {
    try {
      return [prepare(topContainer, body, { operation: 'create', enumerations, making: context.making, parseUri, acceptTemporary: false, createEnumerationValues: false })];
    } catch (error) {
      if (!(error instanceof Failure) || !isObject(error.error)) throw error;
      for (const [path, messages] of Object.entries(error.error)) faults.push({ row, column: `top_container_${path}`, message: Array.isArray(messages) ? messages.join('; ') : String(messages) });
      return [];
    }
  });
  return { prepared, faults };
}

/** Adds an instance for each link that its archival object does not have yet; gives how many, and whose. */
async function addInstances(links: readonly ContainerLink[], uriFor: (link: ContainerLink) => string, work: Work): Promise<{ readonly links: number; readonly uris: readonly string[] }> {
  const { tx, context, repoId, actor, enumerations } = work;
  const stored = await lockStored(tx, archivalObject, [...new Set(links.map(({ componentId }) => componentId))], repoId);
  const wanted = Map.groupBy(links, ({ componentId }) => componentId);
  const there = new Set(stored.map(({ id }) => id));
  const gone = links.find(({ componentId }) => !there.has(componentId));
  if (gone !== undefined) throw fail('conflict', `The archival object of row ${gone.row} is there no more`);
  const added: { readonly id: number; readonly link: LinkRow }[] = [];
  const revised = stored.flatMap(({ id, body }) => {
    const old: JsonObject = JSON.parse(body);
    const instances = [...objectsOf(old, 'instances')];
    const before = instances.length;
    for (const link of wanted.get(id) ?? []) {
      const uri = uriFor(link);
      const instance = { instance_type: link.instanceType, sub_container: { ...link.child, top_container: { ref: uri } } };
      if (instances.some((other) => instanceKey(other) === instanceKey(instance))) continue;
      const path = `instances/${instances.length}/sub_container/top_container`;
      instances.push(prepareBody(Instance, instance, { operation: 'update', enumerations, making: context.making, parseUri, acceptTemporary: false, createEnumerationValues: false }).body);
      const targetId = parseUri(uri)?.id ?? 0;
      added.push({ id, link: { uri, path, property: containerRef, targetKind: topContainer.name, targetId, targetRepoId: repoId, role: null, mutual: null, ref: null } });
    }
    return instances.length === before ? [] : [{ id, old, body: { ...old, instances } }];
  });
  await appendLinks(tx, archivalObject, repoId, added);
  const changed = await reviseMany(tx, archivalObject, revised, { repoId, actor, making: context.making });
  return { links: added.length, uris: changed.map((id) => uriOf(archivalObject, id, repoId)) };
}

/** By what two instances are the same: type, container and child. */
function instanceKey(instance: JsonObject): string {
  const sub = objectOf(instance, 'sub_container');
  return JSON.stringify([textOf(instance, 'instance_type'), textOf(objectOf(sub, 'top_container'), 'ref'), textOf(sub, 'type_2') ?? null, textOf(sub, 'indicator_2') ?? null, textOf(sub, 'barcode_2') ?? null]);
}

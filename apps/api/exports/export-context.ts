// From a request to the context of a writer of formats, and to the two replies of an export: the document and the name of its file.
import type { ExportContext } from '#domain/formats/writing/context.ts';
import { exportFileName } from '#domain/formats/writing/file-name.ts';
import type { Json, JsonObject } from '#domain/json.ts';
import { readValueLabels } from '#store/enumerations/value-labels.ts';
import type { Reply } from '../reply/reply.ts';
import { text } from '../reply/reply.ts';
import type { Services } from '../services.ts';

const label = readValueLabels();

/** The context of one export: `repository` as it was read for the caller, `includesUnpublished` as the caller asked and may. */
export function exportContext(
  { config }: Pick<Services, 'config'>,
  repository: JsonObject | null,
  includesUnpublished: boolean,
): ExportContext {
  return {
    label,
    publicUrl: config.MUNIMENT_PUBLIC_URL,
    serviceUrl: config.MUNIMENT_SERVICE_URL ?? `http://localhost:${config.PORT}`,
    repository,
    includesUnpublished,
    now: new Date(),
  };
}

/** An XML document as a reply. */
export const xml = (document: string): Reply => text(document, 'application/xml');

/** The reply of a metadata endpoint (contract behaviour-exports 1). */
export const fileMetadata = (base: string, suffix: string, now: Date): Json => ({
  filename: exportFileName(base, suffix, now),
  mimetype: 'application/xml',
});

/** Replies of a metadata endpoint, for the documentation. */
export const metadataReply = {
  says: 'The name of the file and its type.',
  example: { filename: 'MS001_20260102_030405_UTC__marc21.xml', mimetype: 'application/xml' },
} as const;

// The menu of the documents that a record can be had as: each is saved as a file, or goes on as a job where it takes long.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isObject, textOf } from '../../../libs/domain/json.ts';
import { recordAddress } from '../address.ts';
import { Fault } from '../asking.tsx';
import { download } from '../download.ts';
import { useGoingOn } from '../going-on.ts';
import { chosenRepository } from '../repositories.ts';
import { said } from '../saying.ts';
import { service } from '../session.ts';
import { t } from '../words.ts';
import type { Document } from './documents.ts';
import { addressOf, documentsOf, repositoryOf } from './documents.ts';

/** The menu; nothing for kinds of which there are no documents, and of agents for who sees no repository. */
export function Export({ kind, uri }: { readonly kind: string; readonly uri: string }): JSX.Element | null {
  const [isWhole, setWhole] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const goOn = useGoingOn();
  const [fault, setFault] = useState<unknown>(null);
  const documents = documentsOf[kind] ?? [];
  const repository = repositoryOf(uri, chosenRepository(true));
  if (documents.length === 0 || repository === null) return null;
  const save = async (document: Document): Promise<void> => {
    setSaving(true);
    setFault(null);
    said.value = t('waiting');
    try {
      const address = addressOf(document, uri, repository, isWhole);
      const about = await service.ask(address.replace(/(?=\?|$)/, '/metadata'));
      const job = await download(address, isObject(about) ? textOf(about, 'filename') : undefined);
      if (job !== null) goOn(recordAddress(job));
      else said.value = t('export_saved');
    } catch (error) {
      said.value = '';
      setFault(error);
    }
    setSaving(false);
  };
  return (
    <>
      <details class="new export">
        <summary>{t('export')}</summary>
        <div>
          <label>
            <input type="checkbox" checked={isWhole} onChange={(event) => setWhole(event.currentTarget.checked)} />{' '}
            {t('export_unpublished')}
          </label>
          <ul>
            {documents.map((document) => (
              <li key={document.name}>
                <button type="button" class="plain" disabled={isSaving} onClick={() => void save(document)}>
                  {document.name === 'container_labels' ? t('container_labels') : document.name}
                </button>
              </li>
            ))}
          </ul>
        </div>
      </details>
      {isSaving && <span class="soft">{t('waiting')}</span>}
      {fault !== null && <Fault fault={fault} />}
    </>
  );
}

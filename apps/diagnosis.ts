// What `muniment doctor` and GET /system/doctor say: the figures of the installation, and what they mean for its operator.
import type { Config } from '#domain/config.ts';
import { unknownVariables } from '#domain/config.ts';
import { diagnose, isWell } from '#domain/doctor/diagnose.ts';
import type { Facts } from '#domain/doctor/facts.ts';
import type { Finding } from '#domain/doctor/finding.ts';
import { limits } from '#domain/doctor/limits.ts';

const migrations = new URL('../db/migrations/', import.meta.url);

/** `ok`: there is nothing to do; the gravest finding comes first. */
export type Diagnosis = { readonly ok: boolean; readonly findings: readonly Finding[]; readonly facts: Facts };

/**
 * Looks into the database at `url`, which goes around a pooler, and at the settings; `pooledUrl` is what the service uses. It reads figures and no
 * records, changes nothing, and opens connections of its own. Fails where the database cannot be reached.
 */
export async function diagnoseInstallation(
  config: Config,
  { url, pooledUrl }: { readonly url: string; readonly pooledUrl: string },
  variables: NodeJS.ProcessEnv,
): Promise<Diagnosis> {
  // Loaded here, since most commands do without the store.
  const [{ readFacts }, { openFileStorage }] = await Promise.all([
    import('#store/doctor/facts.ts'),
    import('#store/files/open-storage.ts'),
  ]);
  const facts = await readFacts({
    url,
    pooledUrl,
    migrations,
    clock: () => Date.now(),
    files: openFileStorage(config),
    replicas: { urls: config.DATABASE_REPLICA_URL ?? [], lagMs: config.MUNIMENT_REPLICA_LAG_MS },
  });
  const findings = diagnose(facts, limits, config, unknownVariables(variables));
  return { ok: isWell(findings), findings, facts };
}

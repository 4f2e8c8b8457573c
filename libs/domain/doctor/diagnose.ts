// The diagnosis of an installation as a whole: figures and settings in, findings out, the gravest first.
import type { Config } from '../config.ts';
import { connectionsOfWorker } from '../configuration/connections.ts';
import type { Facts } from './facts.ts';
import { judgeFiles } from './files.ts';
import type { Finding, Level } from './finding.ts';
import type { Limits } from './limits.ts';
import { judgeReplicas } from './replicas.ts';
import { judgeServer } from './server.ts';
import { judgeSettings } from './settings.ts';
import { judgeDisk, judgeWork } from './work.ts';

const gravity: Readonly<Record<Level, number>> = { problem: 0, warning: 1, notice: 2 };

/** Says what is wrong, what will be, and what to do. `unknown`: variables that look like settings and are none. */
export function diagnose(facts: Facts, limits: Limits, config: Config, unknown: readonly string[]): readonly Finding[] {
  return [
    ...judgeServer(facts.server, limits, connectionsOfWorker(config)),
    ...judgeDisk(facts, limits, config.MUNIMENT_DISK_RESERVE_MB * 1e6),
    ...(facts.work === null ? [] : judgeWork(facts.work, limits)),
    ...(facts.files === undefined ? [] : judgeFiles(facts.files, limits)),
    ...judgeReplicas(facts.replicas),
    ...judgeSettings(config, unknown),
  ].toSorted((one, other) => gravity[one.level] - gravity[other.level]);
}

/** Whether an operator has something to do: notices alone are no reason for an exit code. */
export const isWell = (findings: readonly Finding[]): boolean => findings.every(({ level }) => level === 'notice');

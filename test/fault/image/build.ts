// Builds the image of deploy/Containerfile with buildah in a folder of its own, on a base that image/make-base.sh made, and opens it.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { z } from 'zod';
import { projectRoot } from '#test/support/service.ts';

const Config = z.object({
  User: z.string(),
  Env: z.array(z.string()),
  Cmd: z.array(z.string()),
  Entrypoint: z.array(z.string()),
  WorkingDir: z.string(),
  StopSignal: z.string(),
  ExposedPorts: z.record(z.string(), z.unknown()).optional(),
  Healthcheck: z.object({ Test: z.array(z.string()) }).optional(),
  Labels: z.record(z.string(), z.string()),
});

/** An image, opened: where its files are, and what it says of itself. Dispose to remove it. */
export type Image = Disposable & { readonly root: string; readonly config: z.infer<typeof Config> };

/** Why nothing can be built; null where it can. */
export function cannotBuild(): string | null {
  const base = process.env['MUNIMENT_IMAGE_BASE'];
  if (base === undefined) return 'MUNIMENT_IMAGE_BASE names no folder (test/fault/image/make-base.sh makes one)';
  if (!existsSync(join(base, 'usr/local/bin/node'))) return `there is no Node in ${base}`;
  if (process.geteuid?.() !== 0) return 'only root may build it here';
  if (spawnSync('buildah', ['--version']).error !== undefined) return 'there is no buildah';
  return null;
}

// buildah remembers in /var/lib what it has seen, wherever its storage is. Nothing of that outlives the call.
const alone = 'mount -t tmpfs tmpfs /var/lib; exec buildah "$@"';

/** Builds it; a minute or two. Fails with what buildah wrote. */
export function buildImage(): Image {
  const folder = mkdtempSync(join(tmpdir(), 'muniment-image-'));
  const buildah = (...command: readonly string[]): string => {
    const storage = ['--root', join(folder, 'root'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];
    const run = spawnSync(
      'unshare',
      ['--mount', '--propagation', 'private', 'sh', '-euc', alone, 'buildah', ...storage, ...command],
      { cwd: projectRoot, encoding: 'utf8', maxBuffer: 1 << 28 },
    );
    if (run.status !== 0) throw new Error(`buildah ${command.join(' ')}: ${run.stdout}${run.stderr}`);
    return run.stdout.trim();
  };
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const scratch = buildah('from', 'scratch');
    const base = process.env['MUNIMENT_IMAGE_BASE'] ?? '';
    execFileSync('cp', ['-a', `${base}/.`, buildah('mount', scratch)]);
    buildah('config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', scratch);
    buildah('commit', '--quiet', scratch, 'base');
    buildah('rm', scratch);
    const settings = writeNpmSettings(folder);
    buildah(
      ...['build', '--quiet', '--isolation', 'chroot', '--format', 'docker', '--pull-never'],
      ...['--volume', `${settings}:/root/.npmrc:ro`, '--volume', `${folder}/trusted.pem:${trusted}:ro`],
      ...['--build-arg', 'BASE=localhost/base', '-f', 'deploy/Containerfile', '-t', 'muniment', '.'],
    );
    const { Docker } = z
      .object({ Docker: z.object({ config: Config }) })
      .parse(JSON.parse(buildah('inspect', '--type', 'image', 'muniment')));
    // With vfs a folder, and no mount.
    const root = buildah('mount', buildah('from', '--pull-never', 'muniment'));
    return { root, config: Docker.config, [Symbol.dispose]: remove };
  } catch (error) {
    remove();
    throw error;
  }
}

const trusted = '/root/trusted.pem';

/** Writes down how npm reaches its registry here, and whom it trusts there (`trusted.pem`). Proxies in the environment buildah passes on by itself. */
function writeNpmSettings(folder: string): string {
  const names = ['userconfig', 'globalconfig', 'registry', 'cafile'];
  const said = execFileSync('npm', ['config', 'get', ...names], { cwd: projectRoot, encoding: 'utf8' });
  const {
    userconfig = '',
    globalconfig = '',
    registry = '',
    cafile = 'null',
  } = Object.fromEntries(
    said.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const lines = [read(globalconfig), read(userconfig), `registry=${registry}`, `cafile=${trusted}`];
  const certificates =
    cafile === 'null' ? [...rootCertificates, read(process.env['NODE_EXTRA_CA_CERTS'] ?? '')].join('\n') : read(cafile);
  writeFileSync(join(folder, 'trusted.pem'), certificates);
  const file = join(folder, 'npmrc');
  writeFileSync(file, lines.join('\n'), { mode: 0o600 });
  return file;
}

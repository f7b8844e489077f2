import { spawn } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { run } from './tools.mjs';

/** Starts a container, makes a key, fires a hook, reads its run, stops, and finds the run again after the next start. */
export async function firstJourney(image, folder) {
  const container = await containerOf(image, folder);
  const service = container.start();
  await service.ready();
  container.execute(container.healthCheck);
  const key = container
    .execute(['node', container.command('keys'), 'create', '--label', 'image', '--scope', 'read-write'])
    .trim();
  const api = async (path, body) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(new URL(path, container.url), init);
    if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const workflow = await api('/v1/workflows', { name: 'In a container', status: 'active' });
  const { webhook_url } = await api('/v1/triggers', { workflow_id: workflow.id, type: 'webhook' });
  const { run_id } = await api(webhook_url, { order: { id: 42 } });
  const ended = await api(`/v1/runs/${run_id}?wait=30`);
  if (ended.status !== 'succeeded') throw new Error(`the run is ${ended.status}.`);
  await service.stop();
  const again = container.start();
  await again.ready();
  if ((await api(`/v1/runs/${run_id}`)).status !== 'succeeded') throw new Error('the run is lost after a restart.');
  await again.stop();
}

/** Runs commands of the image with its user and environment; only /data and /tmp can be written to. */
async function containerOf({ name, buildah }, folder) {
  const root = buildah('mount', buildah('from', name));
  const { Docker } = JSON.parse(buildah('inspect', '--type', 'image', name));
  const { Env, Entrypoint, Cmd, User, Healthcheck } = Docker.config;
  if (!/^[1-9]\d*:[1-9]\d*$/.test(User)) throw new Error(`the image runs as "${User}".`);
  const data = join(folder, 'data');
  mkdirSync(data);
  chownSync(data, ...User.split(':').map(Number));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  // `env --ignore-environment` in the container: it has the environment of the image alone.
  const environment = [...Env, `PORT=${port}`, `BASE_URL=${url}`];
  const inside = (args) => [
    'chroot',
    `--userspec=${User}`,
    root,
    'env',
    '--ignore-environment',
    ...environment,
    ...args,
  ];
  const mounts = [
    `mount --bind ${root} ${root}`,
    `mount --bind ${data} ${root}/data`,
    `mount -t tmpfs tmpfs ${root}/tmp`,
    `mount -t proc proc ${root}/proc`,
    `mount --rbind /dev ${root}/dev`,
    `mount -o remount,ro,bind ${root}`,
  ].join(' && ');
  const contained = (args) => ['--mount', '--fork', 'sh', '-ec', `${mounts} && exec "$@"`, 'sh', ...inside(args)];
  const installed = '/opt/workflow-gateway/node_modules/workflow-gateway';
  return {
    url,
    healthCheck: Healthcheck.Test.slice(1),
    command: (command) => `${installed}/dist/src/process/cli/${command}.js`,
    execute: (args) => run('unshare', contained(args)),
    start: () => started(spawn('unshare', contained([...Entrypoint, ...(Cmd ?? [])]), { detached: true }), url),
  };
}

function started(child, url) {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(code ?? signal)));
  let status;
  void ended.then((value) => (status = value));
  return {
    async ready() {
      while (
        !(await fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ))
      ) {
        if (status !== undefined) throw new Error(`the service ended with ${status}: ${output.slice(-2_000)}`);
        await pause(200);
      }
    },
    async stop() {
      process.kill(-child.pid, 'SIGTERM');
      if ((await ended) !== 0) throw new Error(`SIGTERM ended the service with ${status}: ${output.slice(-2_000)}`);
    },
  };
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

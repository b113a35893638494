import { mkdirSync, readFileSync, renameSync, watchFile, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { findSourceMap } from 'node:module';
import { basename, join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded before everything else into each process of a profiled bench, by NODE_OPTIONS. Profiles the process while the
 * folder's file `figure` names a figure, and writes `FOLDER/FIGURE/NAME-PID.cpuprofile` after that, or when the
 * process ends. While it profiles, an empty `….part` says that the file will come. The profile shows places in our
 * sources, not in the bundle.
 */
const asked = new URL(import.meta.url).searchParams;
const folder = asked.get('folder') ?? '';
const LOOK_EVERY_MS = 50;
/** The process that runs Next inherits the name of the one that started it. */
const name = basename(process.argv[1] ?? '') === 'seckill-next.mjs' ? 'next' : asked.get('name');

/** @type {{ session: Session, file: string } | undefined} */
let running;

function look() {
  const wanted = readFigure();
  const file = wanted && join(folder, wanted, `${name}-${process.pid}.cpuprofile`);
  if (file === running?.file) return;
  stop();
  if (file) start(file);
}

function readFigure() {
  try {
    return readFileSync(join(folder, 'figure'), 'utf8');
  } catch {
    return undefined;
  }
}

function start(file) {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(`${file}.part`, '');
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.start');
  running = { session, file };
}

function stop() {
  if (!running) return;
  const { session, file } = running;
  running = undefined;
  // In the process itself the answer comes before `post` returns, so this also works while the process exits.
  session.post('Profiler.stop', (error, answer) => {
    const text = error ? '' : JSON.stringify({ ...answer.profile, nodes: answer.profile.nodes.map(mapped) });
    writeFileSync(`${file}.part`, text);
  });
  session.disconnect();
  renameSync(`${file}.part`, file);
}

/** Returns a node of the profile with the place its function has in the sources. */
function mapped(node) {
  const { url, lineNumber, columnNumber } = node.callFrame;
  const place = url ? findSourceMap(url)?.findEntry(lineNumber, columnNumber) : undefined;
  if (!place?.originalSource) return node;
  const source = URL.canParse(place.originalSource, url) ? new URL(place.originalSource, url).href : url;
  const callFrame = { ...node.callFrame, url: source, lineNumber: place.originalLine };
  return { ...node, callFrame };
}

if (isMainThread) {
  watchFile(join(folder, 'figure'), { interval: LOOK_EVERY_MS, persistent: false }, look);
  process.on('exit', stop);
  look();
}

/** A line of `CLUSTER NODES`. */
export type ClusterNode = {
  id: string;
  node: string;
  isPrimary: boolean;
  /** Whom a replica follows; `-` for a primary. */
  primaryId: string;
  /** How many slots it serves. */
  slots: number;
  /** Rises with every election; the view with the highest one is the newest. */
  epoch: number;
};

const UNREACHABLE = new Set(['noaddr', 'handshake']);

/** Parses the answer to `CLUSTER NODES`; nodes without an address are left out. */
export function parseClusterNodes(text: string): ClusterNode[] {
  return text.split('\n').flatMap((line) => {
    const [id = '', address = '', flagList = '', primaryId = '', , , epoch = '', , ...ranges] = line
      .trim()
      .split(' ');
    const flags = flagList.split(',');
    const [at = ''] = address.split('@');
    if (at === '' || flags.some((flag) => UNREACHABLE.has(flag))) return [];
    // Slots on their way stand in brackets, and still belong to the node before.
    const slots = ranges
      .filter((range) => /^\d+(-\d+)?$/.test(range))
      .reduce((sum, range) => sum + sizeOf(range), 0);
    return [
      { id, node: at, isPrimary: flags.includes('master'), primaryId, slots, epoch: Number(epoch) || 0 },
    ];
  });
}

function sizeOf(range: string): number {
  const [from = 0, to = from] = range.split('-').map(Number);
  return to - from + 1;
}

/** A replica as its primary lists it in `INFO`. */
type ListedReplica = { node: string; isInStep: boolean; offset: number };

/**
 * The answer to `INFO replication memory`, parsed. `offset`: the place in the log of replication that the server has reached.
 * `memoryShare`: of `maxmemory`, or else of the machine's; null where keys are evicted instead of writes refused.
 */
export type ServerInfo = {
  isPrimary: boolean;
  offset: number;
  replicas: ListedReplica[];
  memoryShare: number | null;
};

/** Parses the answer to `INFO replication memory`. */
export function parseInfo(text: string): ServerInfo {
  const values = new Map(
    text.split('\r\n').flatMap((line): [string, string][] => {
      const colon = line.indexOf(':');
      return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 1)]] : [];
    }),
  );
  const number = (name: string) => Number(values.get(name) ?? 0) || 0;
  const isPrimary = values.get('role') === 'master';
  const memory = number('maxmemory') || number('total_system_memory');
  const isKept = values.get('maxmemory_policy') === 'noeviction' && memory > 0;
  return {
    isPrimary,
    memoryShare: isKept ? number('used_memory') / memory : null,
    offset: isPrimary ? number('master_repl_offset') : number('slave_repl_offset'),
    replicas: [...values].flatMap(([name, value]) => (/^slave\d+$/.test(name) ? [listed(value)] : [])),
  };
}

function listed(value: string): ListedReplica {
  const {
    ip = '',
    port = '',
    state,
    offset,
  } = Object.fromEntries(value.split(',').map((pair) => pair.split('=')));
  return { node: `${ip}:${port}`, isInStep: state === 'online', offset: Number(offset) || 0 };
}

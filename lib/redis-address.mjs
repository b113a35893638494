/**
 * The parsed address of Redis: one server, a cluster, or a primary that Sentinels name. This file is plain JavaScript,
 * because the start checks read addresses before the product is compiled.
 *
 * @typedef {{ host: string, port: number }} RedisHost
 * @typedef {{
 *   kind: 'single' | 'cluster' | 'sentinel',
 *   hosts: RedisHost[],
 *   isTls: boolean,
 *   username?: string,
 *   password?: string,
 *   db: number,
 *   masterName: string,
 *   sentinelUsername?: string,
 *   sentinelPassword?: string,
 * }} RedisAddress `hosts`: the server, nodes to begin with, or the Sentinels; `masterName` is empty without Sentinels
 */

const MAX_LENGTH = 4_096;
/** A client needs one node that answers; more than this is a list pasted by mistake. */
const MAX_HOSTS = 50;
const MAX_HOST_LENGTH = 253;
const KINDS = /^redis(s?)\+(cluster|sentinel):\/\/(.*)$/s;
const DEFAULT_PORT = { single: 6_379, cluster: 6_379, sentinel: 26_379 };
const EXAMPLE = {
  cluster: 'redis+cluster://host:6379,host:6379',
  sentinel: 'redis+sentinel://host:26379,host:26379/NAME',
};
const MASTER_NAME = /^[\w.-]{1,255}$/;
const SENTINEL_QUERY = ['sentinelUsername', 'sentinelPassword'];

/**
 * Parses an address of Redis.
 * @param {string} text
 * @returns {RedisAddress}
 * @throws {TypeError} that says what the address must be, without any password: the end of a sentence that begins with
 *   the variable's name
 */
export function parseRedisUrl(text) {
  if (text.length > MAX_LENGTH) throw new TypeError(`must have at most ${MAX_LENGTH} characters`);
  const several = KINDS.exec(text);
  return several ? parseSeveral(several) : parseSingle(text);
}

/** @param {string} text @returns {RedisAddress} */
function parseSingle(text) {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['redis:', 'rediss:'].includes(url.protocol))
    throw new TypeError(
      'must be a URL that starts with redis://, rediss://, redis+cluster:// or redis+sentinel://',
    );
  if (url.hostname.includes(','))
    throw new TypeError(`must name one server, or begin as ${EXAMPLE.cluster} or ${EXAMPLE.sentinel}`);
  return {
    kind: 'single',
    hosts: [{ host: url.hostname, port: Number(url.port || DEFAULT_PORT.single) }],
    isTls: url.protocol === 'rediss:',
    username: url.username || undefined,
    password: url.password || undefined,
    db: Number(url.pathname.slice(1)) || 0,
    masterName: '',
  };
}

/** @param {RegExpExecArray} match @returns {RedisAddress} */
function parseSeveral([, tls, word, rest = '']) {
  const kind = word === 'cluster' ? 'cluster' : 'sentinel';
  const [, address = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(rest) ?? [];
  const [, servers = '', path = ''] = /^([^/]*)(.*)$/s.exec(address) ?? [];
  const at = servers.lastIndexOf('@');
  const [username, password] = parseUser(at < 0 ? '' : servers.slice(0, at));
  return {
    kind,
    hosts: parseHosts(servers.slice(at + 1), kind),
    isTls: tls === 's',
    username,
    password,
    ...parsePath(path, kind),
    ...parseQuery(query, kind),
  };
}

/** @param {string} text @returns {[string | undefined, string | undefined]} */
function parseUser(text) {
  const colon = text.indexOf(':');
  const user = colon < 0 ? text : text.slice(0, colon);
  const password = colon < 0 ? '' : text.slice(colon + 1);
  return [decode(user) || undefined, decode(password) || undefined];
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new TypeError('must have its user and password percent-encoded: write %25 for %');
  }
}

/** @param {string} text @param {'cluster' | 'sentinel'} kind @returns {RedisHost[]} */
function parseHosts(text, kind) {
  const hosts = text.split(',').map((one) => parseHost(one, kind));
  if (hosts.length > MAX_HOSTS) throw new TypeError(`must name at most ${MAX_HOSTS} hosts`);
  const names = hosts.map(({ host, port }) => `${host}:${port}`);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice) throw new TypeError(`must not name a host twice: ${twice}`);
  return hosts;
}

/** @param {string} text @param {'cluster' | 'sentinel'} kind @returns {RedisHost} */
function parseHost(text, kind) {
  const [, six, name, port] = /^(?:\[([0-9a-f:.]+)\]|([\w.-]+))(?::([^:]*))?$/i.exec(text.trim()) ?? [];
  const host = (six ?? name ?? '').toLowerCase();
  if (host === '' || host.length > MAX_HOST_LENGTH)
    throw new TypeError(`must name its hosts as ${EXAMPLE[kind]}`);
  const number = port === undefined ? DEFAULT_PORT[kind] : Number(port);
  if (port === '' || !Number.isInteger(number) || number < 1 || number > 65_535)
    throw new TypeError(`must have ports from 1 to 65535: that of ${host} is not one`);
  return { host, port: number };
}

/** @param {string} path @param {'cluster' | 'sentinel'} kind */
function parsePath(path, kind) {
  const [name = '', db, ...more] = path.slice(1).split('/');
  if (kind === 'cluster') {
    if (!['', '/', '/0'].includes(path)) throw new TypeError('must name no database: a cluster has one only');
    return { db: 0, masterName: '' };
  }
  const masterName = decode(name);
  if (!MASTER_NAME.test(masterName))
    throw new TypeError(
      `must end with the name by which the Sentinels know the primary: ${EXAMPLE.sentinel}`,
    );
  if (more.length > 0 || (db !== undefined && !/^\d{0,5}$/.test(db)))
    throw new TypeError(`must have a number as its database: ${EXAMPLE.sentinel}/0`);
  return { db: Number(db ?? 0), masterName };
}

/** @param {string} text @param {'cluster' | 'sentinel'} kind */
function parseQuery(text, kind) {
  const query = new URLSearchParams(text);
  const known = kind === 'sentinel' ? SENTINEL_QUERY : [];
  const unknown = [...query.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const options = kind === 'sentinel' ? ` other than ${SENTINEL_QUERY.join(' and ')}` : '';
    throw new TypeError(`must have no options behind its ?${options}`);
  }
  return {
    sentinelUsername: query.get('sentinelUsername') || undefined,
    sentinelPassword: query.get('sentinelPassword') || undefined,
  };
}

/** Names the servers of an address, for a person. @param {RedisAddress} address @returns {string} */
export const namedHosts = ({ hosts }) => hosts.map(({ host, port }) => `${host}:${port}`).join(', ');

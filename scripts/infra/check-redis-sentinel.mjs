import { Problem } from './problem.mjs';
import {
  loadedInfo,
  refuseMixedPolicies,
  refuseUnfit,
  stanceOf,
  tryEverything,
  urlOf,
  warningsOf,
  withServer,
} from './redis-checks.mjs';

/**
 * Asks the Sentinels who the primary is, and checks that one as a single server is checked. Sentinels that don't answer are
 * told of; one that knows the name is enough.
 * @param {import('../../lib/redis-address.mjs').RedisAddress} address
 * @param {import('./redis-checks.mjs').Asking} asking
 * @returns {Promise<string[]>} warnings. @throws {Problem} that says what is wrong, and where
 */
export async function checkRedisSentinel(address, asking) {
  const { masterName, sentinelUsername: username, sentinelPassword: password } = address;
  const looks = await Promise.allSettled(
    address.hosts.map((host) =>
      withServer(urlOf(address, host, { username, password }), asking, (client) =>
        findPrimary(client, masterName),
      ),
    ),
  );
  const named = looks.flatMap(({ value }, at) => (value ? [{ ...value, by: address.hosts[at] }] : []));
  const [found] = named;
  const away = looks.flatMap(({ reason }) => (reason === undefined ? [] : [reason]));
  if (!found) throw away.find(({ message }) => message.includes('no primary called')) ?? away[0];
  refuseOther(named, masterName, asking);
  const { settings, stance } = await withServer(urlOf(address, found), asking, async (client) => {
    refuseUnfit(await loadedInfo(client, asking.wait));
    await tryEverything(client);
    return {
      settings: await warningsOf(client),
      stance: await stanceOf(client, `${found.host}:${found.port}`),
    };
  });
  const standBy = await Promise.allSettled(
    found.replicas.map((host) =>
      withServer(urlOf(address, host), asking, (client) => stanceOf(client, `${host.host}:${host.port}`)),
    ),
  );
  const tooOld = standBy.find(({ reason }) => reason?.message.includes('is the oldest that will do'));
  if (tooOld) throw tooOld.reason;
  refuseMixedPolicies(
    [stance, ...standBy.flatMap(({ value }) => value ?? [])],
    asking.variable,
    asking.unset,
  );
  const told = away.filter((reason) => reason instanceof Problem).map(({ message }) => message);
  return [...told, ...settings];
}

/** Refuses Sentinels that watch different servers under one name. During a failover they agree within seconds. */
function refuseOther(named, masterName, { variable, unset }) {
  const at = ({ host, port }) => `${host}:${port}`;
  const other = named.find((one) => at(one) !== at(named[0]));
  if (!other) return;
  throw new Problem(
    `${variable} names Sentinels that disagree: for ${at(named[0].by)} the primary ${masterName} is ${at(named[0])}, for ${at(other.by)} it is ${at(other)}: leave those that watch one, or ${unset}.`,
  );
}

async function findPrimary(client, masterName) {
  const answer = await client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', masterName).catch((error) => {
    if (!/unknown command/i.test(error.message)) throw error;
    throw new Error('that is no Sentinel: name the Sentinels, or write redis://host:port');
  });
  if (answer) {
    const replicas = (await client.call('SENTINEL', 'REPLICAS', masterName)).map((fields) => {
      const field = (name) => fields[fields.indexOf(name) + 1];
      return { host: field('ip'), port: Number(field('port')) };
    });
    return { host: answer[0], port: Number(answer[1]), replicas };
  }
  const all = await client.call('SENTINEL', 'MASTERS');
  const names = all.map((fields) => fields[fields.indexOf('name') + 1]);
  const known = names.length > 0 ? `, but ${names.join(', ')}` : '';
  throw new Error(`this Sentinel knows no primary called ${masterName}${known}`);
}

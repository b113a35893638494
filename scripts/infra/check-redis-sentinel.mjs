import { Problem } from './problem.mjs';
import {
  loadedInfo,
  refuseWrongRole,
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
  const found = looks.find((look) => look.status === 'fulfilled')?.value;
  const away = looks.flatMap(({ reason }) => (reason === undefined ? [] : [reason]));
  if (!found) throw away.find(({ message }) => message.includes('no primary called')) ?? away[0];
  const warnings = await withServer(urlOf(address, found), asking, async (client) => {
    refuseWrongRole(await loadedInfo(client, asking.wait));
    await tryEverything(client);
    return warningsOf(client);
  });
  const told = away.filter((reason) => reason instanceof Problem).map(({ message }) => message);
  return [...told, ...warnings];
}

async function findPrimary(client, masterName) {
  const answer = await client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', masterName).catch((error) => {
    if (!/unknown command/i.test(error.message)) throw error;
    throw new Error('that is no Sentinel: name the Sentinels, or write redis://host:port');
  });
  if (answer) return { host: answer[0], port: Number(answer[1]) };
  const all = await client.call('SENTINEL', 'MASTERS');
  const names = all.map((fields) => fields[fields.indexOf('name') + 1]);
  const known = names.length > 0 ? `, but ${names.join(', ')}` : '';
  throw new Error(`this Sentinel knows no primary called ${masterName}${known}`);
}

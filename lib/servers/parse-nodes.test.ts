import { expect, it } from 'vitest';
import { parseClusterNodes, parseInfo } from './parse-nodes';

it('[K1] reads primaries, replicas and slots; whoever has no address yet is left out', () => {
  const text = [
    'aa 127.0.0.1:7000@17000,host-a myself,master - 0 1 3 connected 0-5460 [93->-bb]',
    'bb 127.0.0.1:7001@17001 master,fail - 1 1 2 disconnected 5461 5463-5464',
    'cc [::1]:7002@17002 slave aa 0 1 3 connected',
    'dd :0@0 master,noaddr - 0 1 0 disconnected',
    'ee 127.0.0.1:7003@17003 handshake - 0 0 0 connected',
    '',
  ].join('\n');
  expect(parseClusterNodes(text)).toEqual([
    { id: 'aa', primaryId: '-', node: '127.0.0.1:7000', isPrimary: true, slots: 5_461, epoch: 3 },
    { id: 'bb', primaryId: '-', node: '127.0.0.1:7001', isPrimary: true, slots: 3, epoch: 2 },
    { id: 'cc', primaryId: 'aa', node: '[::1]:7002', isPrimary: false, slots: 0, epoch: 3 },
  ]);
  expect(parseClusterNodes('nonsense')).toEqual([]);
});

it('[K1] reads how far a primary and its replicas are', () => {
  const primary = [
    '# Replication',
    'role:master',
    'connected_slaves:2',
    'slave0:ip=10.0.0.2,port=6379,state=online,offset=90,lag=0',
    'slave1:ip=10.0.0.3,port=6379,state=wait_bgsave,offset=0,lag=0',
    'master_repl_offset:100',
  ].join('\r\n');
  expect(parseInfo(primary)).toEqual({
    isPrimary: true,
    offset: 100,
    memoryShare: null,
    replicas: [
      { node: '10.0.0.2:6379', isInStep: true, offset: 90 },
      { node: '10.0.0.3:6379', isInStep: false, offset: 0 },
    ],
  });
  expect(parseInfo('role:slave\r\nslave_repl_offset:80\r\nmaster_repl_offset:80')).toMatchObject({
    isPrimary: false,
    offset: 80,
  });
});

it('[J1 K1] reads how full a server is: of its own limit, or of the machine; not where it makes room by itself', () => {
  const shareOf = (limit: number, policy: string) =>
    parseInfo(
      `# Memory\r\nused_memory:300\r\ntotal_system_memory:1000\r\nmaxmemory:${limit}\r\nmaxmemory_policy:${policy}\r\n`,
    ).memoryShare;
  expect(shareOf(400, 'noeviction')).toBe(0.75);
  expect(shareOf(0, 'noeviction')).toBe(0.3);
  expect(shareOf(400, 'allkeys-lru')).toBeNull();
});

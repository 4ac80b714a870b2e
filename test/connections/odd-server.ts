import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Chance } from '../support/chance.ts';
import { answerTo, bodyOf, serveTcp } from './tcp-server.ts';

/** What a server or a proxy does wrong with a connection. */
export const FAULTS = [
  ...['duplicate', 'late duplicate', 'stray 404'],
  ...['early answer', 'split duplicate', 'answer to nothing'],
] as const;
type Fault = (typeof FAULTS)[number];
/** When it does so, seen from the answer that is due. */
const MOMENTS = ['in its write', 'in a write behind it', 'in the next turn', 'some ms later'] as const;

/** What a server does right, though it is seldom seen. */
const HABITS = ['chunks', 'slow', '103', 'a line behind', 'close'] as const;

export interface OddServerOptions {
  readonly chance: Chance;
  /** Each at the call of that number; an answer to nothing comes when the connection of that number is opened. */
  readonly faults?: readonly { readonly call: number; readonly fault: Fault }[];
  readonly habits?: boolean;
  readonly slowestMs: number;
}

/** A server that speaks HTTP/1.1 over kept connections, answers each call in order with its path, and has its oddities. */
export async function serveOddly(options: OddServerOptions) {
  const { chance, faults = [], habits = false, slowestMs } = options;
  /** How often each path was requested. */
  const asked = new Map<string, number>();
  let calls = 0;
  /** How many answers were written that no call had asked for. */
  let surplus = 0;

  function write(socket: Socket, text: string): void {
    if (socket.writable) socket.write(text);
  }

  async function writeMore(socket: Socket, text: string, isSplit: boolean): Promise<void> {
    surplus += 1;
    if (!isSplit) return write(socket, text);
    const at = 1 + Math.floor(chance.number() * (text.length - 2));
    write(socket, text.slice(0, at));
    await delay(1 + chance.number() * 4);
    write(socket, text.slice(at));
  }

  async function answerOddly(socket: Socket, own: string, fault: Fault): Promise<void> {
    const more = fault === 'stray 404' ? NOT_FOUND : own;
    const moment = fault === 'late duplicate' ? 'in a write behind it' : chance.oneOf(MOMENTS);
    if (fault === 'early answer') {
      await writeMore(socket, answerTo('/early'), false);
      await delay(chance.number() * 3);
      return write(socket, own);
    }
    if (moment === 'in its write') {
      surplus += 1;
      return write(socket, own + more);
    }
    write(socket, own);
    if (moment === 'in the next turn') await new Promise<void>((resolve) => setImmediate(resolve));
    // Nobody waits for it.
    if (fault === 'late duplicate')
      return void delay(chance.number() * 20).then(() => writeMore(socket, more, false));
    if (moment === 'some ms later') await delay(chance.number() * 4);
    await writeMore(socket, more, fault === 'split duplicate');
  }

  async function answerByHabit(socket: Socket, path: string): Promise<void> {
    const body = bodyOf(path);
    const habit = chance.oneOf(HABITS);
    if (habit === 'slow') await delay(3 * slowestMs);
    if (habit === '103') write(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </style.css>\r\n\r\n');
    if (habit === 'close')
      return void socket.end(answerTo(path).replace('\r\n', '\r\nconnection: close\r\n'));
    if (habit === 'a line behind') return write(socket, `${answerTo(path)}\r\n`);
    if (habit !== 'chunks') return write(socket, answerTo(path));
    write(socket, 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n');
    for (const part of [body.slice(0, 3), body.slice(3)]) {
      write(socket, `${part.length.toString(16)}\r\n${part}\r\n`);
      await delay(1);
    }
    write(socket, '0\r\n\r\n');
  }

  async function answer(socket: Socket, path: string): Promise<void> {
    if (!socket.writable) return;
    calls += 1;
    asked.set(path, (asked.get(path) ?? 0) + 1);
    const fault = faults.find((each) => each.call === calls && each.fault !== 'answer to nothing')?.fault;
    if (slowestMs > 0) await delay(chance.number() * slowestMs);
    const own = answerTo(path);
    if (fault !== undefined) await answerOddly(socket, own, fault);
    else if (habits && chance.number() < 0.3) await answerByHabit(socket, path);
    else write(socket, own);
  }

  const { url, ...ends } = await serveTcp(answer, (socket, opened) => {
    if (faults.some(({ call, fault }) => call === opened && fault === 'answer to nothing'))
      writeMore(socket, NOT_FOUND, false);
  });
  return { url, asked, surplus: () => surplus, ...ends };
}

const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n';

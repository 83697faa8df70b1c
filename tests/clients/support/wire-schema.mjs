// Judges every line a server writes by the official JSON schema of the revision it belongs to.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TextDecoder } from 'node:util';
import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { modernRevision } from './server-process.mjs';

const folder = join(import.meta.dirname, '..', 'schema');
const keyPrefix = 'io.modelcontextprotocol/';
const claims = ['protocolVersion', 'clientCapabilities', 'clientInfo'].map((name) => keyPrefix + name);
const largestLine = 8 << 20;
const errorCodes = [-32700, -32600, -32601, -32602, -32603, -32021, -32022];

const resultOfMethod = {
  initialize: 'InitializeResult',
  ping: 'EmptyResult',
  'tools/list': 'ListToolsResult',
  'tools/call': 'CallToolResult',
  'server/discover': 'DiscoverResult',
  'subscriptions/listen': 'SubscriptionsListenResult',
};
const notificationOfMethod = {
  'notifications/progress': 'ProgressNotification',
  'notifications/cancelled': 'CancelledNotification',
  'notifications/subscriptions/acknowledged': 'SubscriptionsAcknowledgedNotification',
};
const errorOfCode = { '-32021': 'MissingRequiredClientCapabilityError', '-32022': 'UnsupportedProtocolVersionError' };

class Revision {
  constructor(name) {
    const schema = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
    this.name = name;
    this.definitions = schema.$defs ?? schema.definitions;
    this.path = schema.$defs ? '#/$defs/' : '#/definitions/';
    const Validator = schema.$defs ? Ajv2020 : Ajv;
    this.ajv = new Validator({ strict: false, allErrors: true });
    addFormats(this.ajv);
    this.ajv.addFormat('byte', true);
    this.ajv.addSchema(schema, 'mcp');
  }

  complaints(definition, value) {
    const validate = this.ajv.getSchema(`mcp${this.path}${definition}`);
    if (!validate) return [`${this.name} has no ${definition}`];
    if (validate(value)) return [];
    return validate.errors.map((error) => `${this.name} ${definition}${error.instancePath}: ${error.message}`);
  }

  // The schemas allow members that they do not define; the server sends none.
  foreignMembers(definition, value, allowed = []) {
    const known = this.definitions[definition].properties ?? {};
    return Object.keys(value)
      .filter((key) => !(key in known) && !allowed.includes(key))
      .map((key) => `${this.name} defines no ${definition}.${key}`);
  }
}

export class WireSchema {
  static #revisions = new Map();
  static revision(name) {
    if (!this.#revisions.has(name)) this.#revisions.set(name, new Revision(name));
    return this.#revisions.get(name);
  }

  validated = 0;
  complaints = [];
  #open = new Map(); // JSON text of the id -> requests in flight, oldest first
  #tokens = new Map(); // JSON text of a progress token -> revision of its request
  #outputSchemas = new Map(); // tool name -> compiled outputSchema
  #negotiated;
  #modernServed = false;
  #questions = new Set(); // JSON text of the ids of server requests

  sent(message) {
    if (!Array.isArray(message)) this.#note(message);
    else if (this.#negotiated === '2025-03-26') message.forEach((each) => this.#note(each));
  }

  sentRaw(text) {
    try {
      this.sent(JSON.parse(text));
    } catch {
      // owed an error without an id
    }
  }

  #note(message) {
    const id = message?.id;
    if (typeof id !== 'string' && !Number.isInteger(id)) return;
    if (message.method === undefined && (message.result !== undefined || message.error !== undefined)) return;
    const meta = message.params?._meta;
    const isModern = claims.some((key) => meta?.[key] !== undefined) || ['server/discover', 'subscriptions/listen'].includes(message.method);
    const revision = isModern ? modernRevision : (this.#negotiated ?? '2025-11-25');
    const key = JSON.stringify(id);
    const request = { method: message.method, revision, tool: message.params?.name, isModern };
    this.#open.set(key, [...(this.#open.get(key) ?? []), request]);
    if (meta?.progressToken !== undefined) this.#tokens.set(JSON.stringify(meta.progressToken), revision);
  }

  received(line, message) {
    const found = [...this.#framing(line, message)];
    if (message !== undefined) found.push(...(Array.isArray(message) ? this.#batch(message) : this.#single(message)));
    this.validated += 1;
    this.complaints.push(...found.map((text) => `${text}, in ${line.subarray(0, 300).toString()}`));
  }

  *#framing(line, message) {
    if (message === undefined) yield 'not one JSON value';
    if (line.includes(13)) yield 'a carriage return';
    if (line.length > largestLine) yield `${line.length} bytes`;
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(line);
    } catch {
      yield 'not UTF-8';
    }
  }

  #batch(messages) {
    if (this.#negotiated !== '2025-03-26') return [`a batch in ${this.#negotiated}`];
    const inside = messages.flatMap((message) => this.#single(message));
    const withIds = messages.map((message) => (message.id === null ? { ...message, id: 0 } : message));
    return [...WireSchema.revision('2025-03-26').complaints('JSONRPCBatchResponse', withIds), ...inside];
  }

  #single(message) {
    if (message.method !== undefined) return message.id === undefined ? this.#notification(message) : this.#question(message);
    if (message.id === undefined || message.id === null) return this.#anonymousError(message);
    const key = JSON.stringify(message.id);
    const waiting = this.#open.get(key);
    if (!waiting?.length) return ['an answer nobody waits for'];
    // Two requests with one id: the error is for the later one, which was refused at once.
    const request = message.error ? waiting.pop() : waiting.shift();
    if (!waiting.length) this.#open.delete(key);
    return message.error ? this.#error(message, request) : this.#result(message, request);
  }

  // An error whose request had no readable id: null before 2025-11-25 or any era, no member from then on.
  #anonymousError(message) {
    const newForm = this.#modernServed || this.#negotiated === '2025-11-25';
    const revision = WireSchema.revision(this.#modernServed ? modernRevision : (this.#negotiated ?? '2025-06-18'));
    if (newForm) return 'id' in message ? ['"id":null where the member is to be left out'] : revision.complaints('JSONRPCErrorResponse', message);
    if (message.id !== null) return ['no "id":null'];
    return revision.complaints('JSONRPCError', { ...message, id: 0 });
  }

  #error(message, request) {
    const revision = WireSchema.revision(request.revision);
    const plain = revision.definitions.JSONRPCErrorResponse ? 'JSONRPCErrorResponse' : 'JSONRPCError';
    const found = revision.complaints(plain, message);
    const special = errorOfCode[message.error.code];
    if (special) found.push(...(request.isModern ? revision.complaints(special, message) : ['a stateless error code in the legacy era']));
    if (!errorCodes.includes(message.error.code)) found.push(`error code ${message.error.code}`);
    return found;
  }

  #result(message, request) {
    if (request.method === 'initialize') this.#negotiated = message.result.protocolVersion;
    if (request.isModern) this.#modernServed = true;
    const revision = WireSchema.revision(request.method === 'initialize' ? message.result.protocolVersion : request.revision);
    const plain = revision.definitions.JSONRPCResultResponse ? 'JSONRPCResultResponse' : 'JSONRPCResponse';
    const asks = message.result.resultType === 'input_required';
    const definition = asks ? 'InputRequiredResult' : resultOfMethod[request.method];
    if (!definition) return [`a result for ${request.method}`];
    return [
      ...revision.complaints(plain, message),
      ...revision.complaints(definition, message.result),
      ...(definition === 'EmptyResult' && Object.keys(message.result).length ? ['a ping result with members'] : []),
      ...(definition === 'EmptyResult' ? [] : revision.foreignMembers(definition, message.result)),
      ...this.#details(revision, request, message.result),
    ];
  }

  #details(revision, request, result) {
    if (request.method === 'initialize') return revision.foreignMembers('Implementation', result.serverInfo);
    if (request.method === 'server/discover') return revision.foreignMembers('ServerCapabilities', result.capabilities);
    if (request.method === 'tools/list') return result.tools.flatMap((tool) => this.#tool(revision, tool));
    if (request.method === 'tools/call' && result.content) return this.#callResult(request, result);
    return [];
  }

  #tool(revision, tool) {
    if (tool.outputSchema) this.#outputSchemas.set(tool.name, WireSchema.revision('2025-11-25').ajv.compile(tool.outputSchema));
    return [
      ...revision.foreignMembers('Tool', tool),
      ...(tool.annotations ? revision.foreignMembers('ToolAnnotations', tool.annotations) : []),
    ];
  }

  #callResult(request, result) {
    const structured = result.structuredContent;
    const schema = this.#outputSchemas.get(request.tool);
    const knowsStructure = request.revision >= '2025-06-18';
    if (result.isError || !schema) return structured === undefined ? [] : ['structuredContent without a schema, or in an error'];
    if (!knowsStructure) return structured === undefined ? [] : [`structuredContent in ${request.revision}`];
    if (structured === undefined) return ['no structuredContent'];
    const text = result.content.length === 1 && result.content[0].type === 'text' ? result.content[0].text : '';
    const found = schema(structured) ? [] : schema.errors.map((error) => `outputSchema${error.instancePath}: ${error.message}`);
    if (text !== JSON.stringify(structured)) found.push('the text block is not the structured content');
    return found;
  }

  #notification(message) {
    const definition = notificationOfMethod[message.method];
    if (!definition) return [`a notification ${message.method}`];
    if (definition !== 'ProgressNotification') {
      return WireSchema.revision(definition === 'CancelledNotification' ? (this.#negotiated ?? modernRevision) : modernRevision).complaints(definition, message);
    }
    const name = this.#tokens.get(JSON.stringify(message.params?.progressToken));
    if (!name) return ['progress for a token nobody gave'];
    const revision = WireSchema.revision(name);
    const foreign = name === '2024-11-05' && message.params.message !== undefined ? ['progress message in 2024-11-05'] : [];
    return [...revision.complaints(definition, message), ...foreign];
  }

  #question(message) {
    if (message.method !== 'elicitation/create') return [`a server request ${message.method}`];
    if (!['2025-06-18', '2025-11-25'].includes(this.#negotiated)) return [`a question in ${this.#negotiated}`];
    const key = JSON.stringify(message.id);
    const found = this.#questions.has(key) ? [`a second question with id ${key}`] : [];
    this.#questions.add(key);
    if (this.#negotiated === '2025-06-18' && message.params.mode !== undefined) found.push('mode in 2025-06-18');
    return [...found, ...WireSchema.revision(this.#negotiated).complaints('ElicitRequest', message)];
  }

  // Ids of requests that got no answer.
  get unanswered() {
    return [...this.#open.keys()];
  }

  // A cancelled request is owed no answer, and an answer to it would be a fault.
  forget(id) {
    this.#open.delete(JSON.stringify(id));
  }
}

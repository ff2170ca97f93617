// Written by `punchboard gen`, the same for every service. Do not edit.
export interface ClientOptions {
    /** Address of the service, such as `https://api.example.com`. */
    readonly baseUrl: string;
    /** Id of an open session; `login` opens one. */
    readonly session?: string;
    /** Token of an API key, for a program that does not log in; while there is a session, that counts. */
    readonly token?: string;
    /** Version of the service that the program was written for, such as `2027-01-15`; the service's own choice by default. */
    readonly version?: string;
    /** How many times a failed request is sent again at most; 3 by default. */
    readonly retries?: number;
    /** Milliseconds after which an unanswered request is given up and sent again; 60,000 by default. 0, as for uploads: no limit. */
    readonly timeout?: number;
    /** Called with the names of parameters that the service does not know, usually slips of the pen. */
    readonly onIgnored?: (names: readonly string[], request: string) => void;
    /** Used instead of the global `fetch`. */
    readonly fetch?: typeof fetch;
}
export interface Credentials {
    readonly username: string;
    readonly password: string;
    /** API key of the calling program, if it has one. */
    readonly api_key_id?: string;
}
export interface CallOptions {
    readonly signal?: AbortSignal;
    /** The timeout of this call instead of that of the client. */
    readonly timeout?: number;
    /**
     * Calls with the same key are carried out once, and get the same answer. By default each call has a key of its own, which its
     * retries keep; pass one where your own code may repeat the call.
     */
    readonly idempotencyKey?: string;
    /** Of a change of a record: a tag as `tagOf` returns it, or `*`, instead of the tag of the record that is passed. */
    readonly ifMatch?: string | undefined;
}
/** A record as the client returned it, whose tag is then sent, so that nothing is done if it has changed since; or its id. */
export type RecordOrId<R extends {
    readonly id: string;
}> = string | R;
/** The `ETag` of a record that a method returned; undefined for a copy of it, and for a record in a list. */
export declare function tagOf(record: object): string | undefined;
/** The options of a call that takes no key. A POST is then sent once, since it may have been done although no answer came. */
export type UnkeyedOptions = Omit<CallOptions, 'idempotencyKey'>;
/** What every record shows. */
export interface Shown<Type extends string> {
    readonly id: string;
    readonly object_type: Type;
    readonly date_created: string;
    readonly date_updated: string;
    /** Paths of related records and lists, with `_include_relationships`. */
    readonly _relationships?: Readonly<Record<string, string>>;
}
/** The parameters of an update: only what is sent changes, and null restores what a create would set. */
export type Changes<C> = {
    readonly [K in keyof C]?: object extends Pick<C, K> ? C[K] | null : C[K];
};
/** The parameters of a create below a parent that the path names: its id need not be sent. */
export type Below<C, Parent extends keyof C> = Omit<C, Parent> & Partial<Pick<C, Parent>>;
export interface Deleted {
    readonly success: 1;
}
export interface Include<Name extends string = never> {
    readonly _include_related_objects?: boolean | readonly Name[];
    readonly _include_relationships?: boolean;
}
export interface ListQuery<Sortable extends string = never> {
    readonly _page_number?: number;
    readonly _items_per_page?: number;
    readonly _order_by?: Sortable;
    readonly _sort_order?: 'asc' | 'desc';
    readonly _cursor?: string;
}
/** What a list of all records of some types can be asked for. */
export interface Search {
    /** Words that the records have. */
    readonly q?: string;
}
/** The position in a list that is not counted. */
export interface Continuation {
    readonly items_per_page: number;
    readonly next_cursor: string | null;
}
export interface Paging extends Continuation {
    readonly total_items: number;
    /** False: there may be more than `total_items`. */
    readonly complete?: boolean;
    readonly total_pages: number;
    readonly page_number: number;
    readonly next_page_number: number;
    readonly previous_page_number: number;
}
export interface Page<T, P extends Continuation = Paging> {
    readonly items: readonly T[];
    readonly paging: P;
}
/** A list: `await` it for one page; `for await` goes through all records, page by page. */
export interface List<T, P extends Continuation = Paging> extends PromiseLike<Page<T, P>>, AsyncIterable<T> {
    pages(): AsyncIterable<Page<T, P>>;
}
export interface Session {
    /** Null while nobody is logged in. */
    readonly id: string | null;
    /** The user who logged in; null for a session that was given by its id. */
    readonly user_id: string | null;
    /** Logs in, and again by itself when the session has expired. */
    login(credentials: Credentials): Promise<void>;
    logout(): Promise<void>;
}
export interface Failure {
    readonly field: string;
    readonly code: string;
    readonly message: string;
}
export type Client<Api> = Api & {
    readonly session: Session;
};
export interface ClientClass<Api> {
    new (options: ClientOptions): Client<Api>;
    login(options: ClientOptions & Credentials): Promise<Client<Api>>;
}
/**
 * By resource and method: `POST /api/boxtop`, `LIST /api/game/{id}/boxtops`, `UPLOAD /api/file file`; `UNKEYED` is a POST
 * that takes no idempotency key; of a catalogue `ROWS /api/products active` and `ROW /api/products/{id} active`, with its boolean attributes.
 */
export type Routes = Readonly<Record<string, Readonly<Record<string, string>>>>;
/** By object type, the properties that a server may write in another form (`--wire wing`). */
export type Formats = Readonly<Record<string, {
    readonly booleans?: readonly string[];
    readonly dates?: readonly string[];
}>>;
interface Problem {
    readonly status: number;
    readonly code: string;
    readonly message: string;
    readonly failures?: readonly Failure[];
    readonly requestId?: string | null;
    /** Seconds. */
    readonly retryAfter?: number | null;
    readonly cause?: unknown;
}
/** An error of the service; `code` is `network` if there was no answer, `timeout` if it did not come in time. */
export declare class PunchboardError extends Error {
    readonly status: number;
    readonly code: string;
    /** Every invalid parameter. */
    readonly failures: readonly Failure[];
    /** Names the request in the log of the service. */
    readonly requestId: string | null;
    readonly retryAfter: number | null;
    constructor({ status, code, message, failures, requestId, retryAfter, cause }: Problem);
    /** What is wrong with a parameter. */
    field(name: string): Failure | undefined;
}
/** @returns the class of a client with these methods */
export declare function createClient<Api>(routes: Routes, formats: Formats): ClientClass<Api>;
export {};

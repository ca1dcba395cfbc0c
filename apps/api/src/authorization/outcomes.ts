/* The outcome for each of the identities, in their order: `ok` or an HTTP status. */

//                         none   str  site memb adm  own  read writ exp  rev  dev  sdev
export const anyone = /*       */ "ok   ok   ok   ok   ok   ok   ok   ok   ok   ok   ok   ok";
export const people = /*       */ "401  ok   ok   ok   ok   ok   ok   ok   401  401  401  401";
export const sessions = /*     */ "401  ok   ok   ok   ok   ok   403  403  401  401  401  401";
export const memberReads = /*  */ "401  403  403  ok   ok   ok   ok   ok   401  401  401  401";
export const memberWrites = /* */ "401  403  403  ok   ok   ok   403  ok   401  401  401  401";
export const deviceReads = /*  */ "401  403  403  ok   ok   ok   ok   ok   401  401  ok   403";
export const deviceWrites = /* */ "401  403  403  ok   ok   ok   403  ok   401  401  ok   403";
export const memberSession = /**/ "401  403  403  ok   ok   ok   403  403  401  401  401  401";
export const devices = /*      */ "401  403  403  403  403  403  403  403  401  401  ok   ok";
export const thatDevice = /*   */ "401  403  403  403  403  403  403  403  401  401  ok   404";
export const adminWrites = "401  403  403  403  ok   ok   403  403  401  401  401  401";
export const memberOnly = "401  403  403  ok   403  403  403  ok   401  401  401  401";
export const siteAdminOnly = "401  403  ok   403  403  403  403  403  401  401  401  401";

/**
 * Identity providers (OpenID Connect): a certified one from the registry, and one that this file plays itself, which says
 * what no honest one would.
 */
import { createHmac, createSign, generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { freePort } from "./server.ts";

export const CLIENT = { id: "nightlight", secret: "a-secret-of-the-two-of-them" };

export interface IdentityProvider {
  issuer: string;
  stop(): Promise<void>;
}

/** Who there is at the provider, by what they type as their login there. */
export interface Person {
  email: string;
  verified?: boolean;
}

/** The registry's provider, with its own pages to sign in on. It knows one client, which comes back to `redirectUri`. */
export async function startProvider(
  redirectUri: string,
  people: Record<string, Person>,
): Promise<IdentityProvider> {
  // It was written for Node 22; this is all that Node 20 lacks.
  URL.parse ??= (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null);
  const { Provider } = await import("oidc-provider");
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    cookies: { keys: ["a key of the test's provider"] },
    findAccount: (_, id) => {
      const person = people[id];
      if (!person) return undefined;
      const claims = { sub: id, email: person.email, email_verified: person.verified ?? true };
      return { accountId: id, claims: () => claims };
    },
  });
  const server = provider.listen(Number(port), "127.0.0.1");
  await once(server, "listening");
  return { issuer, stop: () => stopped(server) };
}

/** What one answer of the played provider is like; what is left out is as it should be. */
export interface Word {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  /** Whose key the token is signed by. */
  signedBy?: "provider" | "stranger" | "nobody" | "client-secret";
}

export interface PlayedProvider extends IdentityProvider {
  /** What it says to the next code, which was asked for with this nonce. */
  says(nonce: string, word?: Word): void;
}

export async function playProvider(): Promise<PlayedProvider> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const [own, strangers] = [newKey(), newKey()];
  let token = "";
  const answers: Record<string, () => object> = {
    "/.well-known/openid-configuration": () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ["code"],
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
    }),
    "/keys": () => ({ keys: [own.jwk] }),
    "/token": () => ({
      access_token: "an access token",
      token_type: "Bearer",
      expires_in: 60,
      id_token: token,
    }),
  };
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ""];
    response.writeHead(answer ? 200 : 404, { "Content-Type": "application/json" });
    response.end(JSON.stringify(answer?.() ?? {}));
  });
  server.listen(Number(port), "127.0.0.1");
  await once(server, "listening");
  return {
    issuer,
    says: (nonce, { claims, header, signedBy = "provider" } = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const sound = {
        iss: issuer,
        sub: "7",
        aud: CLIENT.id,
        iat: now,
        exp: now + 60,
        nonce,
        email: "mei@line.example",
        email_verified: true,
      };
      token = written({ alg: "RS256", kid: own.jwk.kid, ...header }, { ...sound, ...claims }, (text) => {
        if (signedBy === "nobody") return "";
        if (signedBy === "client-secret")
          return createHmac("sha256", CLIENT.secret).update(text).digest("base64url");
        const { key } = signedBy === "provider" ? own : strangers;
        return createSign("RSA-SHA256").update(text).sign(key, "base64url");
      });
    },
    stop: () => stopped(server),
  };
}

function newKey(): { key: KeyObject; jwk: Record<string, unknown> } {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const jwk = { ...publicKey.export({ format: "jwk" }), kid: randomUUID(), use: "sig", alg: "RS256" };
  return { key: privateKey, jwk };
}

function written(header: object, claims: object, sign: (text: string) => string): string {
  const part = (of: object) => Buffer.from(JSON.stringify(of)).toString("base64url");
  const text = `${part(header)}.${part(claims)}`;
  return `${text}.${sign(text)}`;
}

async function stopped(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}

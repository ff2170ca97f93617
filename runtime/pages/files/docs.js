// The docs page: shows the API document of this server with Scalar, and logs in for its requests. The session is kept for
// this tab alone.

const SESSION = 'punchboard.session';
const [login, logout, who, problem] = ['login', 'logout', 'who', 'problem'].map((id) => document.getElementById(id));
const reference = Scalar.createApiReference('#reference', configuration());
show();

function configuration() {
  return {
    url: '/openapi.json',
    servers: [{ url: location.origin }],
    authentication: { preferredSecurityScheme: 'bearer', securitySchemes: { bearer: { token: session()?.id ?? '' } } },
    agent: { disabled: true },
    hideClientButton: true,
    persistAuth: false,
    showDeveloperTools: 'never',
    telemetry: false,
    withDefaultFonts: false,
  };
}

function session() {
  return JSON.parse(sessionStorage.getItem(SESSION));
}

function show() {
  const current = session();
  login.hidden = current !== null;
  logout.hidden = current === null;
  who.textContent = current === null ? '' : `Logged in as ${current.username}`;
}

/** Requests that are tried from now on carry the current session. */
function changeTo(value) {
  if (value === null) sessionStorage.removeItem(SESSION);
  else sessionStorage.setItem(SESSION, JSON.stringify(value));
  reference.updateConfiguration(configuration());
  show();
}

login.addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = new FormData(login);
  const response = await fetch('/api/session', { method: 'POST', body: new URLSearchParams(form) });
  const body = await response.json();
  // One wire profile wraps its answers.
  problem.textContent = response.ok ? '' : (body.detail ?? body.error.message);
  if (!response.ok) return;
  login.reset();
  changeTo({ id: (body.result ?? body).id, username: form.get('username') });
});

logout.addEventListener('submit', async (event) => {
  event.preventDefault();
  await fetch(`/api/session/${session().id}`, { method: 'DELETE' });
  changeTo(null);
});

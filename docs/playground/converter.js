// The worker as seen from the page: one request at a time, the newest first, and an end for what takes too long.
// A worker that is ended may have been comparing a pattern or computing YAQL, which has no end. The new worker refuses
// those, and says so by diagnostics.

export class Converter {
  constructor(build, patience = 10000) {
    this.build = build;
    this.patience = patience;
    this.waiting = new Map();
    this.number = 0;
    this.guarded = true;
    this.ready = null;
  }

  start() {
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }) => {
      const asked = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if (!asked) return;
      if (data.kind === "failed") asked.reject(new Error(data.why));
      else asked.resolve(data);
    };
    this.worker.onerror = (event) => {
      for (const { reject } of this.waiting.values()) reject(new Error(event.message || "The worker did not start."));
      this.waiting.clear();
    };
    this.ready = this.ask({ kind: "start", wheels: this.build.wheels, digest: this.build.digest });
    return this.ready;
  }

  ask(message) {
    const id = ++this.number;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ ...message, id });
    });
  }

  // The answer to a request; `stopped`: whether a first attempt took too long. null: a newer request has replaced it.
  async convert(request) {
    const number = (this.newest = (this.newest || 0) + 1);
    while (this.busy) await this.busy.catch(() => {});
    if (number !== this.newest) return null;
    const running = this.attempt(request);
    this.busy = running;
    try {
      return await running;
    } finally {
      this.busy = null;
    }
  }

  async attempt(request) {
    await this.ready;
    const first = await this.askInTime({ ...request, guarded: true });
    if (first) return { ...first, stopped: false };
    await this.start();
    const second = await this.askInTime({ ...request, guarded: false });
    if (second) return { ...second, stopped: true };
    await this.start();
    throw new Error("This takes too long in a browser. The command below may do it.");
  }

  async askInTime(request) {
    let timer = 0;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, this.patience, null)));
    const done = await Promise.race([this.ask({ kind: "convert", request }), late]);
    clearTimeout(timer);
    if (done === null) {
      this.worker.terminate();
      this.waiting.clear();
    }
    return done;
  }

  async archive() {
    return (await this.ask({ kind: "archive" })).answer;
  }
}

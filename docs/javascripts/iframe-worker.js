// Browsers refuse to start workers on pages that were opened from a file, and the theme searches in a worker. There, a frame
// that nobody sees takes the worker's place: it runs the same script, and messages go back and forth as a worker's do.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.appendChild(frame);
      const inside = frame.contentWindow;
      // what the script posts is for whoever listens to this object
      inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }));
      inside.importScripts = (...urls) =>
        urls.reduce((before, next) => before.then(() => this.#load(next)), Promise.resolve());
      this.#inside = inside;
      this.#ready = this.#load(url);
    }

    postMessage(data) {
      this.#ready.then(() => this.#inside.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.#inside.frameElement.remove();
    }

    #inside;
    #ready;

    #load(url) {
      return new Promise((done, failed) => {
        const script = this.#inside.document.createElement("script");
        script.src = new URL(url, location).href;
        script.onload = done;
        script.onerror = () => failed(new Error(`cannot load ${url}`));
        this.#inside.document.body.appendChild(script);
      });
    }
  };
}

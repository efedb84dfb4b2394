// SPDX-License-Identifier: BSD-2-Clause
// Browsers refuse workers to pages that were opened from a folder (file:). The search of the site
// runs in one; here it runs in a hidden frame instead, with the messages of a worker.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.appendChild(frame);
      const inside = frame.contentWindow;
      const add = (address) => new Promise((loaded, failed) => {
        const script = inside.document.createElement("script");
        script.src = address;
        script.onload = loaded;
        script.onerror = failed;
        inside.document.head.appendChild(script);
      });
      inside.document.open();
      inside.document.write("<!doctype html><html><head></head><body></body></html>");
      inside.document.close();
      inside.importScripts = (...addresses) => Promise.all(addresses.map(add));
      inside.postMessage = (data) => {
        const message = new MessageEvent("message", { data });
        this.dispatchEvent(message);
        if (this.onmessage) this.onmessage(message);
      };
      this.send = (data) => inside.dispatchEvent(new inside.MessageEvent("message", { data }));
      add(url).then(() => {
        this.ready = true;
        this.waiting.splice(0).forEach((data) => this.send(data));
      }, () => this.dispatchEvent(new Event("error")));
    }
    postMessage(data) {
      if (this.ready) this.send(data);
      else this.waiting.push(data);
    }
    terminate() {}
  };
}

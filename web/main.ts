import './style/tokens.css';
import './style/base.css';
import { mount } from 'svelte';
import App from './App.svelte';

const target = document.querySelector('#app');
if (target !== null) mount(App, { target });
